import { closeSync, readFileSync } from 'node:fs'
import { GATE } from '@beadloom/core/execution/session-order.ts'

/**
 * Waits until this process may begin: at once, unless it was started ahead of its session. All its imports are loaded
 * by then. `order`: the order that came through the gate; null: it has to ask. Returns null if the process that started
 * it is gone, and it may never begin.
 */
export function passGate(env: NodeJS.ProcessEnv): { order: string | null } | null {
  const gate = env[GATE]
  if (gate === undefined) return { order: null }
  const descriptor = Number(gate)
  try {
    const told = readFileSync(descriptor, 'utf8')
    if (told === '') return null
    return { order: told.slice(1) || null }
  } finally {
    closeSync(descriptor)
  }
}
