import { existsSync, readFileSync, rmSync } from 'node:fs'

/**
 * A killed daemon leaves its process number behind, and its successor refuses to start if another process has that
 * number by now. Removes the file unless a process of this name really has it.
 */
export function forgetDead(pidFile, name) {
  if (!existsSync(pidFile)) return
  const running = `/proc/${readFileSync(pidFile, 'utf8').trim()}/comm`
  const alive = existsSync(running) && readFileSync(running, 'utf8').trim() === name
  if (!alive) rmSync(pidFile, { force: true })
}
