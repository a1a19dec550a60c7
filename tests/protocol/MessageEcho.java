// Reads messages with the classes in Kafka's jars and writes them again. A line in is "Name version hex" ("-" for no
// bytes), or "Name version" for a new object; the line out is the hex that Kafka writes, or "!" and what went wrong.

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.ObjectSerializationCache;

public class MessageEcho {
    private static final String[] PACKAGES = {
        "org.apache.kafka.common.message.",
        "org.apache.kafka.coordinator.group.generated.",
        "org.apache.kafka.coordinator.share.generated.",
        "org.apache.kafka.coordinator.transaction.generated.",
        "org.apache.kafka.server.log.remote.metadata.storage.generated.",
    };

    public static void main(String[] arguments) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        StringBuilder out = new StringBuilder();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            out.append(echo(line.split(" "))).append('\n');
        }
        System.out.print(out);
    }

    private static String echo(String[] words) {
        try {
            Message message = create(words[0]);
            short version = Short.parseShort(words[1]);
            if (words.length > 2) {
                ByteBuffer bytes = ByteBuffer.wrap(HexFormat.of().parseHex(words[2].replace("-", "")));
                message.read(new ByteBufferAccessor(bytes), version);
                if (bytes.hasRemaining()) {
                    return "! " + bytes.remaining() + " bytes left";
                }
            }
            ObjectSerializationCache cache = new ObjectSerializationCache();
            ByteBuffer written = ByteBuffer.allocate(message.size(cache, version));
            message.write(new ByteBufferAccessor(written), cache, version);
            return HexFormat.of().formatHex(written.array(), 0, written.position());
        } catch (Exception error) {
            return "! " + error;
        }
    }

    private static Message create(String name) throws Exception {
        for (String prefix : PACKAGES) {
            for (String suffix : new String[] {"Data", ""}) {
                try {
                    return (Message) Class.forName(prefix + name + suffix).getConstructor().newInstance();
                } catch (ClassNotFoundException absent) {
                    continue;
                }
            }
        }
        throw new ClassNotFoundException(name);
    }
}
