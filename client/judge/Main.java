import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs LeetCode's Java: cases of the test-case box on standard input, an answer a line. Called with "graph" or "grid".
 * What the solution prints itself goes to standard error.
 */
public class Main {
    private static int[][] graph(String line) {
        List<int[]> lists = new ArrayList<>();
        String inside = line.substring(line.indexOf('[') + 1, line.lastIndexOf(']'));
        for (int at = inside.indexOf('['); at >= 0; at = inside.indexOf('[', at + 1)) {
            String list = inside.substring(at + 1, inside.indexOf(']', at)).trim();
            String[] words = list.isEmpty() ? new String[0] : list.split(",");
            int[] neighbours = new int[words.length];
            for (int i = 0; i < words.length; i++)
                neighbours[i] = Integer.parseInt(words[i].trim());
            lists.add(neighbours);
        }
        return lists.toArray(new int[0][]);
    }

    private static String[] grid(String line) {
        List<String> rows = new ArrayList<>();
        String[] words = line.split("\"");
        for (int i = 1; i < words.length; i += 2)
            rows.add(words[i]);
        return rows.toArray(new String[0]);
    }

    private static Method method(String name) {
        for (Method method : Solution.class.getDeclaredMethods())
            if (method.getName().equals(name)) {
                method.setAccessible(true);
                return method;
            }
        throw new RuntimeException("class Solution has no " + name);
    }

    private static final long STACK_BYTES = 256L << 20; // a recursive solution goes deep

    private static Throwable failure;

    // Only the solution's thread gets a deep stack: the option for it would count for each thread of the machine.
    public static void main(String[] arguments) throws Throwable {
        Thread thread = new Thread(null, () -> {
            try {
                answer(arguments);
            } catch (Throwable thrown) {
                failure = thrown;
            }
        }, "solution", STACK_BYTES);
        thread.start();
        thread.join();
        if (failure != null) {
            throw failure;
        }
    }

    private static void answer(String[] arguments) throws Exception {
        PrintStream answers = System.out;
        System.setOut(System.err);
        boolean isGraph = arguments[0].equals("graph");
        Method method = method(isGraph ? "catMouseGame" : "canMouseWin");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        answers.println("ready");
        answers.flush();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            Object answer = isGraph ? method.invoke(new Solution(), (Object) graph(line))
                : method.invoke(new Solution(), grid(line), Integer.parseInt(in.readLine().trim()),
                    Integer.parseInt(in.readLine().trim()));
            answers.println(answer);
            answers.flush();
        }
    }
}
