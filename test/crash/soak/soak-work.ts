import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { Page } from '@beadloom/core/api/api.ts'
import { isTerminal } from '@beadloom/core/records/execution.ts'
import { issues, makeRemote } from '../../support/repository.ts'
import { sized } from '../size.ts'
import type { SoakStage } from './soak-stage.ts'

/** Four projects with one kind of agent each. */
const projects = {
  /** Works and ends well. */
  north: `notebook-program.ts ${sized(200, 1500)} 20 ok`,
  /** Commits and pushes its lines now and then. */
  east: `notebook-program.ts ${sized(200, 1000)} 20 commit`,
  /** Ends with an error. */
  south: `notebook-program.ts ${sized(100, 800)} 20 fail`,
  /** Works for long; a person cancels most of its executions. */
  west: `notebook-program.ts ${sized(400, 3000)} 20 ok`,
} as const
type Project = keyof typeof projects
const names = Object.keys(projects) as Project[]

const BEADS = 400
/** The number of beads that wait or run at any time, for each project. */
const AT_ONCE = sized(1, 2)
const CANCEL_CHANCE = 0.02

const file = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8')

/** People who queue beads, cancel some, and ask again if nobody answered. */
export class SoakWork {
  readonly #stage: SoakStage
  readonly #next: Record<Project, number> = { north: 1, east: 1, south: 1, west: 1 }
  /** Requests without an answer yet. */
  readonly #asked = new Map<string, { project: Project; bead: string }>()
  /** Executions that were still live at the last look, with their projects. */
  readonly #live = new Map<string, Project>()

  constructor(stage: SoakStage) {
    this.#stage = stage
  }

  /** Starts with one bead of each project that meets no fault, so that images exist. */
  async begin(): Promise<void> {
    for (const project of names) {
      const beads = Array.from({ length: BEADS }, (_, at) => ({
        id: `${project[0]}-${at + 1}`,
        title: `Keep notebook ${at + 1}`,
      }))
      const source = makeRemote(this.#stage.victim.remoteOf(project), {
        '.beads/issues.jsonl': issues(...beads),
        'beadloom.json': JSON.stringify({
          techStack: ['Shell'],
          agent: 'command',
          command: `/opt/beadloom/bin/node ${projects[project]}`,
          test: 'true',
          setup: null,
          autopilot: false,
          verification: { maxAttempts: 1 },
          retry: { retryCount: 0 },
        }),
        'notebook-program.ts': file('notebook-program.ts'),
        'notebook-line.ts': file('notebook-line.ts'),
      })
      await this.#stage.victim.api('POST', '/api/projects', { source, id: project })
      const bead = `${project[0]}-${this.#next[project]++}`
      this.#asked.set(`queue-${bead}`, { project, bead })
    }
    await this.answered()
    for (const id of this.#live.keys()) {
      if (this.#live.get(id) === 'west') await this.#stage.victim.until(id, ({ sessions }) => sessions.length > 0)
      else await this.#stage.victim.ended(id)
    }
  }

  /** Queues as many beads as people want at once; a request without an answer is repeated later. */
  async turn(random: () => number): Promise<void> {
    const { victim } = this.#stage
    for (const id of this.#live.keys()) {
      const { state } = await victim.execution(id)
      if (isTerminal(state)) this.#live.delete(id)
      else if (state === 'RUNNING' && this.#live.get(id) === 'west' && random() < CANCEL_CHANCE)
        await victim.keyed(`/api/executions/${id}/cancel`, `cancel-${id}`, {})
    }
    for (const project of names) {
      const its = [...this.#live.values(), ...[...this.#asked.values()].map((asked) => asked.project)]
      const missing = AT_ONCE - its.filter((one) => one === project).length
      for (let n = 0; n < missing; n++) {
        const bead = `${project[0]}-${this.#next[project]++}`
        this.#asked.set(`queue-${bead}`, { project, bead })
      }
    }
    await this.answered()
  }

  /** Repeats every request without an answer. */
  async answered(): Promise<void> {
    for (const [key, { project, bead }] of this.#asked) {
      const path = `/api/projects/${project}/beads/${bead}/executions`
      const { id } = await this.#stage.victim.keyed<ExecutionView>(path, key, {})
      this.#asked.delete(key)
      this.#live.set(id, project)
    }
  }

  async running(): Promise<ExecutionView[]> {
    const page = await this.#stage.victim.api<Page<ExecutionView>>('GET', '/api/executions?state=RUNNING&limit=100')
    return page.items
  }
}
