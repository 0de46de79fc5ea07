//go:build external

package rest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// reader reads an exception with Java's own means, for a class that looks like Flink's.
const reader = `package org.apache.flink.util;
import java.io.*;
public class SerializedThrowable extends Exception {
  private static final long serialVersionUID = 7284183123441947635L;
  private final byte[] serializedException = null;
  private final String originalErrorClassName = null;
  private final String fullStringifiedStackTrace = null;
  public static void main(String[] args) throws Exception {
    SerializedThrowable t = (SerializedThrowable) new ObjectInputStream(new FileInputStream(args[0])).readObject();
    for (String field : new String[] {"originalErrorClassName", "fullStringifiedStackTrace"}) {
      System.out.println(SerializedThrowable.class.getDeclaredField(field).get(t));
    }
    System.out.println(t.getMessage() + " " + t.getCause() + " " + t.getStackTrace().length);
  }
}
`

func TestExternalJavaReadsTheThrowable(t *testing.T) {
	dir := t.TempDir()
	source, object := filepath.Join(dir, "SerializedThrowable.java"), filepath.Join(dir, "object")
	if err := os.WriteFile(source, []byte(reader), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(object, serializedThrowable("a.Class", "wörds 😀\nat main"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), "java", "-Dfile.encoding=UTF-8", "-Dstdout.encoding=UTF-8", source, object).CombinedOutput()
	if want := "a.Class\nwörds 😀\nat main\nwörds 😀 null 0\n"; err != nil || string(out) != want {
		t.Errorf("%v: %q, want %q", err, out, want)
	}
}
