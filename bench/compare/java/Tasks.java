import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/** The workload "tasks" for Flink: eight tasks for each parallel subtask, and a record a second. Arguments: parallelism, records. */
public class Tasks {
    public static void main(String[] args) throws Exception {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        env.setParallelism(Integer.parseInt(args[0]));
        env.setMaxParallelism(128);
        env.disableOperatorChaining();
        DataStream<Long> s = env.fromSequence(1, Long.parseLong(args[1])).map(x -> {
            Thread.sleep(1000);
            return x;
        }).returns(Long.class);
        for (int i = 0; i < 5; i++) {
            s = s.map(x -> x).returns(Long.class);
        }
        s.sinkTo(new DiscardingSink<>());
        env.execute("tasks");
    }
}
