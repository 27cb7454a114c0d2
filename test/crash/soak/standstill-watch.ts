import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { Page } from '@beadloom/core/api/api.ts'
import type { SoakStage } from './soak-stage.ts'

const LONGEST_MS = 60_000
/** If a look takes longer, a fault has delayed it, and its time does not count. */
const LONGEST_LOOK_MS = 3_000

/** Finds executions that are RUNNING for a minute and have neither a container nor a reason for having none. */
export class StandstillWatch {
  readonly #stage: SoakStage
  readonly #still = new Map<string, { what: string; forMs: number }>()
  #lookedAt: number | null = null

  constructor(stage: SoakStage) {
    this.#stage = stage
  }

  /** Counts only time in which server and engine answered. */
  async look(found: string[]): Promise<void> {
    const began = performance.now()
    const last = this.#lookedAt
    this.#lookedAt = null
    const { items } = await this.#stage.victim.api<Page<ExecutionView>>(
      'GET',
      '/api/executions?state=RUNNING&limit=100',
    )
    const held = new Set(this.#withContainers())
    const now = performance.now()
    if (now - began > LONGEST_LOOK_MS) return
    this.#lookedAt = now
    const passed = last === null ? 0 : Math.min(now - last, LONGEST_LOOK_MS)
    for (const view of items) {
      const { id, attempt, sessions, activity, stopPending, waits } = view
      if (held.has(id) || stopPending || waits?.kind === 'push' || waits?.kind === 'retry') {
        this.#still.delete(id)
        continue
      }
      const what = `attempt ${attempt}, ${sessions.length} sessions, ${activity}`
      const still = this.#still.get(id)
      const forMs = still?.what === what ? still.forMs + passed : 0
      this.#still.set(id, { what, forMs })
      if (still && still.forMs < LONGEST_MS && forMs >= LONGEST_MS)
        found.push(`${id} is RUNNING for a minute without a container or a reason: ${what}`)
    }
  }

  #withContainers(): string[] {
    const args = ['ps', '--all', '--filter', 'label=beadloom.execution', '--format', '{{.Label "beadloom.execution"}}']
    return this.#stage.docker(...args).split('\n')
  }
}
