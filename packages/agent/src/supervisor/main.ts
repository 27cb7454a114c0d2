/*
 * The supervisor of a sandbox, started by `process-one.sh`:
 *
 *     node --max-semi-space-size=1 --disable-sigusr1 --no-short-builtin-calls supervisor.mjs
 *         FOLDER MAGIC SOCKET|- SCRATCH|- ORDER|- STARTS
 *
 * After 600 MB of output it has 30 MB of its own with the first flag, and 95 without. The second closes Node's debugger from
 * the first moment on.
 *
 * FOLDER is on the container's own disk, MAGIC what this container and its servers know (16 bytes as hex), SOCKET the
 * mounted socket of a server on the same host. Without one, servers come through the engine (`carriers.ts`). SCRATCH is
 * emptied after each session: everything in it is removed, so it is named only where a container has its own. ORDER is
 * that of the first session, probably, as JSON: its process is loaded while the rest of the supervisor is, and the link made.
 */
import { ahead, copying, given } from './first-process.ts' // before anything else is evaluated
import { supervise } from './supervise.ts'

await supervise(given, ahead, copying)
