// Reads batches with Apache Kafka's own reader and prints what it finds, a line per record, for test_golden.py:
//   java -cp "$KWIRE_KAFKA_LIBS/*" tests/records/java/DecodeBatches.java DIRECTORY

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.Record;

public class DecodeBatches {
    public static void main(String[] arguments) throws Exception {
        List<Path> files;
        try (Stream<Path> listing = Files.list(Path.of(arguments[0]))) {
            files = listing.sorted().toList();
        }
        for (Path file : files) {
            MemoryRecords records = MemoryRecords.readableRecords(ByteBuffer.wrap(Files.readAllBytes(file)));
            for (MutableRecordBatch batch : records.batches()) {
                batch.ensureValid();
                System.out.printf("batch %s %d %d %d %s %s %d %d %d %d %b %b %s%n", file.getFileName(),
                    batch.baseOffset(), batch.lastOffset(), batch.partitionLeaderEpoch(), batch.compressionType().name,
                    batch.timestampType().name, batch.maxTimestamp(), batch.producerId(), batch.producerEpoch(),
                    batch.lastSequence(), batch.isTransactional(), batch.isControlBatch(),
                    batch.deleteHorizonMs().isPresent() ? batch.deleteHorizonMs().getAsLong() : "none");
                for (Record record : batch) {
                    StringBuilder headers = new StringBuilder();
                    for (Header header : record.headers())
                        headers.append(' ').append(hex(header.key().getBytes(StandardCharsets.UTF_8)))
                            .append('=').append(hex(header.value()));
                    System.out.printf("record %d %d %s %s%s%n", record.offset(), record.timestamp(),
                        hex(array(record.key())), hex(array(record.value())), headers);
                }
            }
        }
    }

    static byte[] array(ByteBuffer buffer) {
        if (buffer == null)
            return null;
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }

    static String hex(byte[] bytes) {
        return bytes == null ? "null" : "x" + HexFormat.of().formatHex(bytes);
    }
}
