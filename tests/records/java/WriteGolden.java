// Writes the golden batches of tests/records/golden with Apache Kafka's own builder. Not part of any test run:
//   java -cp "$KWIRE_KAFKA_LIBS/*" tests/records/java/WriteGolden.java tests/records/golden
// The inputs are repeated in tests/records/test_golden.py.

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;
import org.apache.kafka.common.utils.ByteBufferOutputStream;

public class WriteGolden {
    static Path directory;

    public static void main(String[] arguments) throws Exception {
        directory = Path.of(arguments[0]);
        for (CompressionType type : CompressionType.values()) {
            Compression codec = Compression.of(type).build();
            few("few-" + type.name, codec);
            if (type != CompressionType.NONE)
                many("many-" + type.name, codec);
        }
        few("few-gzip-level-9", Compression.gzip().level(9).build());
        few("few-lz4-level-17", Compression.lz4().level(17).build());
        few("few-zstd-level-22", Compression.zstd().level(22).build());
        appendTime();
        deleteHorizon();
        producer();
        marker("commit", ControlRecordType.COMMIT);
        marker("abort", ControlRecordType.ABORT);
        empty();
    }

    static MemoryRecordsBuilder builder(Compression codec, TimestampType type, long baseOffset, long appendTime,
                                        long producerId, int epoch, int sequence, boolean transactional,
                                        int leaderEpoch, long deleteHorizon) {
        return new MemoryRecordsBuilder(new ByteBufferOutputStream(1 << 20), (byte) 2, codec, type, baseOffset,
            appendTime, producerId, (short) epoch, sequence, transactional, false, leaderEpoch, 1 << 30, deleteHorizon);
    }

    static MemoryRecordsBuilder plain(Compression codec) {
        return builder(codec, TimestampType.CREATE_TIME, 42, -1, -1, -1, -1, false, 5, -1);
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static void few(String name, Compression codec) throws Exception {
        write(name, appendFew(plain(codec)));
    }

    // Null and empty keys and values, headers twice under one name and without a value, timestamps that go back.
    static MemoryRecordsBuilder appendFew(MemoryRecordsBuilder builder) {
        builder.append(1700000000000L, utf8("key"), utf8("value"));
        builder.append(1699999999000L, (byte[]) null, utf8("no key"));
        builder.append(1700000100000L, utf8("tombstone"), (byte[]) null);
        builder.append(1700000000001L, new byte[0], new byte[0], new Header[] {
            new RecordHeader("h", utf8("1")), new RecordHeader("h", utf8("2")),
            new RecordHeader("null", (byte[]) null), new RecordHeader("", new byte[0]),
            new RecordHeader("\u00fc\u4e16", utf8("unicode"))});
        builder.append(1700000000002L, utf8("long"), new byte[300]);
        return builder;
    }

    // Several blocks of every codec; records that repeat themselves and records that do not.
    static void many(String name, Compression codec) throws Exception {
        MemoryRecordsBuilder builder = plain(codec);
        int state = 1;
        for (int number = 0; number < 500; number++) {
            byte[] value = new byte[400];
            for (int at = 0; at < value.length; at++) {
                state = state * 1103515245 + 12345;
                value[at] = (byte) (number % 5 == 0 ? state >>> 16 : number);
            }
            builder.append(1700000000000L + number * 7, utf8("key-" + number), value);
        }
        write(name, builder);
    }

    static void appendTime() throws Exception {
        write("log-append-time", appendFew(builder(Compression.NONE, TimestampType.LOG_APPEND_TIME, 42, 1700000999999L,
            -1, -1, -1, false, 5, -1)));
    }

    static void deleteHorizon() throws Exception {
        write("delete-horizon", appendFew(builder(Compression.NONE, TimestampType.CREATE_TIME, 42, -1,
            -1, -1, -1, false, 5, 1700086400000L)));
    }

    static void producer() throws Exception {
        write("transactional", appendFew(builder(Compression.NONE, TimestampType.CREATE_TIME, 42, -1,
            4000000001L, 3, 2147483646, true, 5, -1)));
    }

    static void marker(String name, ControlRecordType type) throws Exception {
        MemoryRecords records = MemoryRecords.withEndTransactionMarker(42, 1700000000000L, 5, 4000000001L, (short) 3,
            new EndTransactionMarker(type, 9));
        write(name, records.buffer());
    }

    static void empty() throws Exception {
        ByteBuffer buffer = ByteBuffer.allocate(61);
        DefaultRecordBatch.writeEmptyHeader(buffer, (byte) 2, 4000000001L, (short) 3, 17, 42, 50, 5,
            TimestampType.CREATE_TIME, 1700000000000L, true, false);
        buffer.flip();
        write("empty", buffer);
    }

    static void write(String name, MemoryRecordsBuilder builder) throws Exception {
        write(name, builder.build().buffer());
    }

    static void write(String name, ByteBuffer buffer) throws Exception {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        Files.write(directory.resolve(name + ".batch"), bytes);
    }
}
