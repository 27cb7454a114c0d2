import { defaultRetry } from '@beadloom/core/records/retry.ts'
import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import type { EventView, ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import type { BeadId, ExecutionId, ProjectId, SessionId } from '@beadloom/core/records/ids.ts'
import { parseBeadId, parseExecutionId, parseProjectId } from '@beadloom/core/records/ids.ts'
import { ReadingStopped } from '../../ports/aside.ts'
import {
  sampleBeadView,
  sampleCard,
  sampleSession,
  sampleStatus,
  sampleView,
} from '@beadloom/core/testing/sample-views.ts'
import type {
  BaseApi,
  BudgetApi,
  Commands,
  ContainerApi,
  PlanApi,
  PullRequestApi,
  Queries,
  ReviewApi,
  SavedViewApi,
  SecretApi,
  InboxApi,
  SettingsApi,
  WebhookApi,
} from '../ports.ts'
import { Problem } from '../../ports/problem.ts'
import type { AuditApi, PeopleApi } from '../people-ports.ts'

const KNOWN_PROJECT = parseProjectId('demo')
const KNOWN_BEAD = parseBeadId('bl-1')
const KNOWN_EXECUTION = parseExecutionId('ex-0000000001')

const missing = (what: string) => new Problem(404, 'not_found', `There is no ${what}.`)

/** Just enough of a server behind the API: one project, one bead, executions with events. */
export class MemoryApi implements Queries, Commands {
  readonly epoch = 'epoch-1'
  readonly calls: string[] = []
  readonly events_: EventView[] = []
  ended = false
  #seq = 100
  #executions = new Map<ExecutionId, ExecutionView>([[KNOWN_EXECUTION, execution(KNOWN_EXECUTION)]])
  readonly #listeners = new Set<(execution: ExecutionId) => void>()

  get listeners(): number {
    return this.#listeners.size
  }

  addEvent(type: string): void {
    this.events_.push({ seq: this.events_.length + 1, at: 0, session: null, type, line: null, data: {} })
    for (const listener of this.#listeners) listener(KNOWN_EXECUTION)
  }

  addSessions(...ids: SessionId[]): void {
    const sessions = ids.map((id, at) => sampleSession({ id, number: at + 1 }))
    this.#executions.set(KNOWN_EXECUTION, { ...execution(KNOWN_EXECUTION), sessions })
  }

  end(): void {
    this.ended = true
    for (const listener of this.#listeners) listener(KNOWN_EXECUTION)
  }

  seq = () => this.#seq
  status = (): ServerStatus => sampleStatus()
  system = () => missing('system')
  agents = () => ({ items: [] })
  readonly unready: string[] = []
  ready = () => ({ ok: this.unready.length === 0, reasons: this.unready })
  metrics = () => 'beadloom_up 1\n'
  listProjects = () => ({ items: [project()] })
  project = (id: ProjectId) => (id === KNOWN_PROJECT ? project() : missing(`project ${id}`))
  listBeads: Queries['listBeads'] = (id, filter) => {
    this.calls.push(`listBeads ${JSON.stringify(filter)}`)
    return id === KNOWN_PROJECT ? { items: [card()] } : missing(`project ${id}`)
  }
  bead = (id: ProjectId, name: BeadId) =>
    id === KNOWN_PROJECT && name === KNOWN_BEAD ? sampleBeadView() : missing(`bead ${name}`)
  executions: Queries['executions'] = (filter) => {
    this.calls.push(`executions ${JSON.stringify(filter)}`)
    return { items: [...this.#executions.values()] }
  }
  execution = (id: ExecutionId) => this.#executions.get(id) ?? missing(`execution ${id}`)
  events: Queries['events'] = (id, after, limit) => {
    if (!this.#executions.has(id)) return missing(`execution ${id}`)
    return { items: this.events_.filter(({ seq }) => seq > after).slice(0, limit), ended: this.ended }
  }
  onEvent = (listener: (execution: ExecutionId) => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }
  diff = () => ({ from: 'a', to: 'b', files: [] })
  patch: Queries['patch'] = (_, path) => ({ path, patch: '@@', truncated: false })
  branch: Queries['branch'] = () => ({ from: 'a', to: 'b', commits: [], more: false, conflict: null })
  sections = async () => []
  toolCalls = async () => []

  addProject: Commands['addProject'] = ({ source }) => {
    if (source === 'bug') throw new Error('SECRET /home/somebody/secret')
    if (source === 'stopping') throw new ReadingStopped('the server stopped while the files of a repository were read')
    return source === 'taken' ? new Problem(409, 'exists', 'There is a project demo already.') : project()
  }
  changeProject = () => project()
  removeProject = () => undefined
  addBead = () => sampleBeadView()
  changeBead = () => sampleBeadView()
  queue: Commands['queue'] = () => {
    const id = parseExecutionId(`ex-${String(this.#executions.size + 1).padStart(10, '0')}`)
    this.#executions.set(id, execution(id))
    this.#seq++
    return execution(id)
  }
  cancel = (id: ExecutionId) => {
    this.calls.push(`cancel ${id}`)
    return this.execution(id)
  }
  allowTests(id: ExecutionId) {
    return this.execution(id)
  }

  abandon = (id: ExecutionId) => {
    this.calls.push(`abandon ${id}`)
    return this.execution(id)
  }
  retryNow = (id: ExecutionId) => {
    this.calls.push(`retryNow ${id}`)
    return this.execution(id)
  }
  sync = () => project()
  readonly baseApi: BaseApi = {
    prove: () => missing('proof'),
    stop: () => missing('proof'),
    mend: () => missing('proof'),
    push: () => missing('push'),
    pushed: () => missing('push'),
    stopPush: () => missing('push'),
    log: () => missing('proof'),
  }
  readonly budgetApi: BudgetApi = {
    list: () => ({ items: [], server: [], currency: 'USD' }),
    of: () => missing('execution'),
    grant: () => missing('execution'),
  }
  readonly containerApi: ContainerApi = {
    list: () => ({ items: [] }),
    save: async () => missing('container'),
    discard: async () => missing('container'),
  }
  readonly peopleApi: PeopleApi = {
    me: ({ name, role, by }) => ({ name, role, projects: {}, by, people: true, signOut: null }),
    actions: () => ({ items: [] }),
  }
  readonly auditApi: AuditApi = {
    list: () => ({ items: [] }),
    head: () => ({ number: 0, hash: '', begins: { number: 0, hash: '' } }),
    lines: async function* () {},
    cut: () => missing('entry'),
  }
  readonly planApi: PlanApi = {
    get: () => missing('plan'),
    put: () => missing('plan'),
    approve: () => missing('plan'),
    pause: () => missing('execution'),
    proceed: () => missing('execution'),
    phases: () => ({ items: [] }),
  }
  readonly reviewApi: ReviewApi = {
    ask: () => missing('review'),
    list: () => ({ items: [] }),
    get: () => missing('review'),
    dismiss: () => missing('review'),
    reopen: () => missing('review'),
  }
  readonly pullRequestApi: PullRequestApi = {
    ask: () => missing('pull request'),
    list: () => ({ items: [] }),
    get: () => missing('pull request'),
    cancel: () => missing('pull request'),
  }
  readonly savedViewApi: SavedViewApi = {
    list: () => ({ items: [] }),
    add: () => missing('project'),
    change: () => missing('view'),
    drop: () => missing('view'),
  }
  readonly secretApi: SecretApi = {
    list: () => ({ items: [] }),
    set: () => missing('project'),
    remove: () => missing('secret'),
  }
  readonly inboxApi: InboxApi = { of: () => missing('project'), change: () => missing('project') }
  readonly webhookApi: WebhookApi = {
    list: async () => ({ items: [], problem: null }),
    save: async () => missing('webhook'),
    remove: async () => missing('webhook'),
    test: async () => ({ items: [] }),
  }
  readonly settingsApi: SettingsApi = {
    ofProject: () => missing('project'),
    changeProject: () => missing('project'),
    agentsOf: () => missing('project'),
    ofServer: () => missing('setting'),
    changeServer: () => missing('setting'),
  }
  environment = () => missing('project')
  egressOfProject = () => missing('project')
  dependencies = () => missing('project')
  activity = () => missing('project')
  egressOf = () => missing('execution')
  evidenceImage = () => missing('execution')
  why = () => missing('execution')
  tokenUse = () => missing('project')
  budget = () => missing('project')
  budgetCsv: Queries['budgetCsv'] = (id, days) => {
    this.calls.push(`budgetCsv ${days}`)
    return id === KNOWN_PROJECT ? csvOf('day,bead\r\n', '2026-11-23,bl-1\r\n') : missing(`project ${id}`)
  }
  syncStatus = () => missing('project')
  pause = () => project()
  resume = () => project()
}

async function* csvOf(...lines: string[]): AsyncGenerator<string> {
  yield* lines
}

export const project = (): ProjectView => ({
  id: KNOWN_PROJECT,
  name: 'Demo',
  source: '/srv/demo',
  baseBranch: 'main',
  workBranch: 'beadloom',
  autopilot: false,
  paused: false,
  problem: null,
  problemKind: null,
  warnings: [],
  agent: 'openai',
  model: null,
  modelNote: null,
  test: null,
  setup: null,
  retry: defaultRetry,
  maxAttempts: 3,
  beadCounts: { open: 1, in_progress: 0, blocked: 0, timeout: 0, done: 0, ready: 1 },
  syncedAt: null,
  tracker: null,
  pullRequest: null,
})

export const card = (id: BeadId = KNOWN_BEAD): BeadCard => sampleCard({ id })

export const execution = (id: ExecutionId): ExecutionView => sampleView({ id })
