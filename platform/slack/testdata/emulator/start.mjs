// Starts the emulator on the port and with the bot token that it is told, prints its
// address, and ends when standard input is closed: whoever started it has gone.
import { createEmulator } from "emulate";

const [port, token] = process.argv.slice(2);
const emulator = await createEmulator({
  service: "slack",
  port: Number(port),
  seed: {
    tokens: { [token]: { login: "admin", scopes: [] } },
    slack: { users: [{ name: "ada" }], channels: [{ name: "workshop" }], strict_scopes: false },
  },
});
console.log(emulator.url);
process.stdin.on("end", () => process.exit(0)).resume();
