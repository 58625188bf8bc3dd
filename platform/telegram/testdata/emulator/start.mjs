// Starts the emulator on a free port, prints its address, and ends when standard
// input is closed: whoever started it has gone.
import net from "node:net";
import Emulator from "telegram-test-api";

const port = await new Promise((resolve, reject) => {
  const probe = net.createServer();
  probe.on("error", reject);
  probe.listen(0, "127.0.0.1", () => {
    const { port } = probe.address();
    probe.close(() => resolve(port));
  });
});
const emulator = new Emulator({ host: "127.0.0.1", port });
await emulator.start();
console.log(`http://127.0.0.1:${port}`);
process.stdin.on("end", () => process.exit(0)).resume();
