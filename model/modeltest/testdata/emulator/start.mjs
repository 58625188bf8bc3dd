// Starts the emulator on a free port, prints its address, and ends when standard
// input is closed: whoever started it has gone.
import { LLMock } from "@copilotkit/aimock";
import { fileURLToPath } from "node:url";

const emulator = new LLMock({
  port: 0,
  strict: true,
  logLevel: "silent",
  chunkSize: 7,
  auth: { apiKeys: [process.argv[2]] },
});
emulator.loadFixtureFile(fileURLToPath(new URL("replies.json", import.meta.url)));
await emulator.start();
console.log(emulator.url);
process.stdin.on("end", () => process.exit(0)).resume();
