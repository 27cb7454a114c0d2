import { renameSync, writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/*
 * Loaded into a server by `--import`: notes the longest task of its main thread, by the clock and by the thread's own
 * processor time, which a busy machine does not lengthen. On SIGUSR2 it writes its findings since the last time to the
 * file STALL_PROBE.
 */

const TICK_MS = 5
const file = process.env['STALL_PROBE']

if (isMainThread && file !== undefined) {
  const cpuNow = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  let seen = { wallMs: 0, cpuMs: 0, usedMs: 0 }
  let [at, cpu] = [performance.now(), cpuNow()]
  const look = () => {
    const [now, used] = [performance.now(), cpuNow()]
    seen.wallMs = Math.max(seen.wallMs, now - at - TICK_MS)
    seen.cpuMs = Math.max(seen.cpuMs, used - cpu)
    seen.usedMs += used - cpu
    ;[at, cpu] = [now, used]
  }
  setInterval(look, TICK_MS).unref()
  process.on('SIGUSR2', () => {
    look()
    writeFileSync(`${file}.part`, JSON.stringify(seen))
    renameSync(`${file}.part`, file)
    seen = { wallMs: 0, cpuMs: 0, usedMs: 0 }
  })
}
