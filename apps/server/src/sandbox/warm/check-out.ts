import { newExecutionId, sessionIdOf } from '@beadloom/core/records/ids.ts'
import type { GitOrder } from '@beadloom/core/execution/session-order.ts'
import type { Hub } from '../../ports/hub.ts'
import type { ProjectId } from '@beadloom/core/records/ids.ts'
import type { FrameSource, Sandbox } from '../../ports/sandbox.ts'
import type { Clock } from '../../process/clock.ts'
import { limited, within } from '../../process/within.ts'
import { startApart } from '../apart/start-apart.ts'

/** A checkout that takes longer is not worth having ahead. */
const LIMIT_MS = 300_000

export type CheckOutDeps = { hub: Pick<Hub, 'serve' | 'modules'>; clock: Clock; random: () => number }

/**
 * Checks out a commit in a sandbox that has no owner. Its session belongs to no execution and has no record; it may
 * read the hub, and nothing else. Rejects when there is no checkout afterwards.
 */
export async function checkOut(
  { hub, clock, random }: CheckOutDeps,
  sandbox: Sandbox,
  { id: project, setup }: { id: ProjectId; setup: string | null },
  git: GitOrder,
  signal: AbortSignal,
): Promise<void> {
  const id = sessionIdOf(newExecutionId(random), 1) // only the sandbox ever knows it
  const work = { kind: 'setup', command: null, timeoutMs: LIMIT_MS, clean: true } as const
  const running = await startApart({ hub }, sandbox, { id, project, settings: { env: {}, setup }, git, work })
  const read = readAll(running.output).catch(() => {})
  try {
    const { code } = await limited({ clock, ms: LIMIT_MS, or: signal }, (either) => running.ended(either))
    if (code !== 0) throw new Error(`the checkout ended with exit code ${code}`)
    await within(
      clock,
      LIMIT_MS,
      () => running.output.close(),
      () => read,
    )
  } finally {
    running.close()
  }
}

/** Reads and drops the output: unread output would hold up the session. */
async function readAll(output: FrameSource): Promise<void> {
  for await (const _ of output) continue
}
