import { closeSync, readSync } from 'node:fs'
import { GATE } from '@beadloom/core/execution/session-order.ts'

/**
 * Waits until this process may begin: at once, unless it was started ahead of its session. Everything that it imports is
 * loaded by then. False: whoever started it is gone, and nobody will ever let it begin.
 */
export function passGate(env: NodeJS.ProcessEnv): boolean {
  const gate = env[GATE]
  if (gate === undefined) return true
  const descriptor = Number(gate)
  const may = readSync(descriptor, Buffer.alloc(1)) > 0
  closeSync(descriptor)
  return may
}
