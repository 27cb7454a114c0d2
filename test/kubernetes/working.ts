import { setTimeout as delay } from 'node:timers/promises'
import type { EventView, ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { nodeOf } from '@beadloom/server/src/container/kubernetes/cluster/node-state.ts'
import { runInPod } from '@beadloom/server/src/container/kubernetes/pod-exec.ts'
import { expect } from 'vitest'
import { git } from '../support/repository.ts'
import { shellProject } from '../support/shell-project.ts'
import { client, type Stage } from './cluster-stage.ts'

const LOOK_MS = 500
/** The processor of the nodes that these tests start. */
export const ARCHITECTURE = 'amd64'
/** The second time it starts from the pushed part. */
const agentThat = (waits: string) => `name=$(git branch --show-current)
mkdir -p "parts/$name"
test -e "parts/$name/one" && again=1
commit() { touch "parts/$name/$1" && git add -A && git commit -q -m "$2 of $name" && git push -q && echo "pushed $1"; }
test -n "$again" || commit one 'A part'
test -n "$again" || ${waits}
commit two 'The rest'
`

/** Waits for a file from a test. */
export const WAITS = 'while ! test -e /tmp/go; do sleep 0.2; done'

/** Executions whose agent commits and pushes a part, waits for a file from a test, and then does the rest. */
export class Working {
  readonly #stage: Stage
  #number = 0

  constructor(stage: Stage) {
    this.#stage = stage
  }

  /** A project with such an agent. `meanwhile`: a command in place of the wait. */
  async project(config: object = {}, beads: readonly string[] = ['s-1'], meanwhile = WAITS): Promise<string> {
    const id = `p${++this.#number}`
    const files = shellProject({ agent: agentThat(meanwhile), config })
    await this.#stage.victim.addProject(id, { files, beads: beads.map((bead) => ({ id: bead, title: 'A long work' })) })
    return id
  }

  /** Starts an execution; resolves when its agent has pushed a part and waits. */
  async begun(project: string, bead = 's-1'): Promise<string> {
    const execution = await this.#stage.victim.queue(project, bead)
    await this.waits(execution)
    return execution
  }

  async waits(execution: string): Promise<void> {
    await this.#stage.victim.until(execution, async ({ state, project, branch, sessions }) => {
      expect(['QUEUED', 'RUNNING']).toContain(state)
      const isRunning = sessions.some(({ kind, state: is }) => kind === 'work' && is === 'running')
      return isRunning && this.subjects(project).includes(`A part of ${branch}`)
    })
  }

  /** Subjects of the commits in the hub, the clone in the data folder. */
  subjects(project: string): string[] {
    return git(`${this.#stage.victim.data}/hub/${project}.git`, 'log', '--all', '--format=%s').split('\n')
  }

  /** Lets the agent do the rest. */
  async goOn(execution: string): Promise<void> {
    const name = `beadloom-${execution}-work`
    const { code, said } = await runInPod(client, { pod: name, container: 'sandbox' }, 'touch /tmp/go')
    if (code !== 0) throw new Error(`${name} could not be told to go on (${code}): ${said}`)
  }

  /** The ended execution's view, and the reason of each retry. */
  async ended(execution: string): Promise<ExecutionView & { retries: string[] }> {
    const events = await this.#stage.victim.ended(execution)
    return { ...(await this.#stage.victim.execution(execution)), retries: events.flatMap(whyRetried) }
  }
}

const whyRetried = ({ type, data }: EventView): string[] =>
  type === 'retry' || type === 'retry_outside' ? [(data as { why: string }).why] : []

/**
 * Waits until every node takes sandboxes. A node that was cut off, ended or made short of memory is ready some seconds
 * before the cluster removes its taints, and until then gets no pods.
 */
export const untilNodesAreOpen = (): Promise<void> =>
  eventually(async () => {
    const nodes = await client.call('list nodes', ({ core }) => core.listNode()).catch(() => null)
    return nodes?.items.every((node) => nodeOf(node, ARCHITECTURE).ok) ?? false
  })

export async function eventually(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await delay(LOOK_MS)
}

/** Turns a check that throws into one that is false. */
export const succeeds = (work: () => Promise<unknown>): Promise<boolean> =>
  work().then(
    () => true,
    () => false,
  )
