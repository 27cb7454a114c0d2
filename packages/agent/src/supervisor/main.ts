/*
 * The supervisor of a sandbox, started by `process-one.sh`:
 *
 *     node --max-semi-space-size=1 --disable-sigusr1 --no-short-builtin-calls supervisor.mjs
 *         FOLDER MAGIC SOCKET|- SCRATCH|- ORDER|- STARTS
 *
 * After 600 MB of output it uses 30 MB with the first flag, and 95 MB without. The second keeps Node's debugger closed
 * from the first moment.
 *
 * FOLDER is on the container's own disk. MAGIC is 16 bytes as hex that this container and its servers know. SOCKET is
 * the mounted socket of a server on the same host; without one, servers come through the engine (`carriers.ts`).
 * SCRATCH is emptied after each session: everything in it is removed, so it is named only where a container has its
 * own. ORDER is probably the first session's order, as JSON: its process is loaded while the rest of the supervisor is
 * loaded and the link is made.
 */
import { ahead, copying, given } from './first-process.ts' // before anything else is evaluated
import { supervise } from './supervise.ts'

await supervise(given, ahead, copying)
