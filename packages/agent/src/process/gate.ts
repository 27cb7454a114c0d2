import { closeSync, readFileSync } from 'node:fs'
import { GATE } from '@beadloom/core/execution/session-order.ts'

/**
 * Waits until this process may begin: at once, unless it was started ahead of its session. Everything that it imports is
 * loaded by then. `order`: what it was told there; null: it has to ask. Null: whoever started it is gone, and nobody will ever
 * let it begin.
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
