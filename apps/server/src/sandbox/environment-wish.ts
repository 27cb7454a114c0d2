import type { ProjectId } from '@beadloom/core/records/ids.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import { storedOf, type LiveExecution } from '../execution/live-execution.ts'
import type { Stopper } from '../execution/stop.ts'
import type { AgentPackage } from '../ports/engine.ts'
import type { EnvironmentId, Sandbox } from '../ports/sandbox.ts'
import { packageFor } from './agent-order.ts'
import { beginSession, checkoutOf, orderOf } from './begin-session.ts'
import { closeSandbox, openSandbox } from './open-sandbox.ts'
import type { SessionFacts } from './session-plan.ts'
import { secretsOf } from './setup-secrets.ts'
import { runSession } from './session.ts'
import { networkOfSetup } from './ways-out.ts'

/** The place where a project's `setup` runs. `tag`: the environment that it makes, as events name it. */
export type SetUp = { tag: string; environment: EnvironmentId; commit: string }

/** A wish for an environment: its ingredients, a place for its `setup`, and a listener for the progress. */
export interface EnvironmentWish {
  readonly project: ProjectId
  readonly settings: ProjectSettings
  /** The agent to install in it. */
  readonly agent: AgentPackage | null
  readonly stopper: Pick<Stopper, 'signal'>
  /** Lines for people. */
  onProgress(line: string): void
  /** Called when the same environment is being made for another wish. */
  onWait(tag: string): Promise<void>
  /** Runs `setup` on a checkout of the commit. `then` gets the sandbox before it is closed. */
  setUp<T>(where: SetUp, then: (facts: SessionFacts, sandbox: Sandbox) => Promise<T>): Promise<T>
}

/** An execution's wish: `setup` is a session of its own, and the progress becomes events. */
export function wishOf(live: LiveExecution): EnvironmentWish {
  const { id, deps, project, settings, stopper } = live
  const { store } = deps
  return {
    project: project.id,
    settings,
    agent: packageFor(live),
    stopper,
    onProgress: (text) => void store.addEvent(id, null, 'image', { text }),
    onWait: async (tag) => void (await store.addEvent(id, null, 'image_wait', { tag })),
    setUp: async ({ tag, environment, commit }, then) => {
      const { setup, limits, baseBranch } = settings
      const secrets = secretsOf(deps, project.id, settings)
      const { attempt } = storedOf(live)
      const session = await beginSession(live, 'setup', attempt)
      await store.addEvent(id, session, 'image_build', { tag, setup })
      const network = networkOfSetup(settings)
      const sandbox = await openSandbox(live, { kind: 'setup', serial: 'setup', environment, network })
      try {
        const work = { kind: 'setup', command: setup, timeoutMs: limits.setupTimeoutMs, secrets } as const
        const facts = await runSession(live, sandbox, {
          id: session,
          attempt,
          order: orderOf(live, session, checkoutOf(baseBranch, commit), work),
          access: { project: project.id, execution: id, pushable: null },
          agent: null,
          signal: stopper.signal,
        })
        return await then(facts, sandbox)
      } finally {
        await closeSandbox(live, sandbox)
      }
    },
  }
}
