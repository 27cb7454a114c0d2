#!/usr/bin/env node
// The server's image runs this as process 1 below tini and as `beadloom` for `docker exec`. Plain JavaScript.
import { existsSync } from 'node:fs'
import { becomeOrdinary, isMounted, Refusal, socketOf } from './ordinary-user.mjs'

const args = process.argv.slice(2)
const starts = args.length === 0 || args[0] === 'start'
const data = process.env.BEADLOOM_DATA || '/data'
try {
  const socket = socketOf(process.env)
  // In a pod there is usually none: sandboxes are pods, too, and `doctor` says what cannot be made without it.
  const inPod = process.env.KUBERNETES_SERVICE_HOST !== undefined
  if (starts && !args.includes('--help') && !inPod && socket !== null && !existsSync(socket))
    throw new Refusal(
      `there is no ${socket} in this container, and agents work in containers of their own. Add "-v /var/run/docker.sock:/var/run/docker.sock" to "docker run".`,
    )
  if (starts && !args.includes('--help') && !isMounted(data))
    throw new Refusal(
      `nothing is mounted at ${data}: all data would go with this container, and no sandbox could share any. Add "-v beadloom:${data}" to "docker run".`,
    )
  becomeOrdinary(data)
  if (starts) {
    const { superviseServer } = await import('../../scripts/supervise.mjs')
    process.exit(await superviseServer(args.slice(1)))
  }
  await import('../../apps/server/bin/beadloom.mjs')
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  process.stderr.write(`beadloom: ${error.message}\n`)
  process.exitCode = 1
}
