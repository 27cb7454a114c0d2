import type { BeadView, ExecutionView, ProjectView, QueueExecution } from '@beadloom/core/api/api.ts'
import { branchName } from '@beadloom/core/bead/branch.ts'
import { canCancel, isTerminal, type RunChoice } from '@beadloom/core/execution/execution.ts'
import {
  newExecutionId,
  parseBeadId,
  parseProjectId,
  projectIdFrom,
  type BeadId,
  type ExecutionId,
  type ProjectId,
} from '@beadloom/core/ids.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import { whyClaimed } from '@beadloom/core/dispatch/why-not.ts'
import { Problem, type Commands } from '../../http/ports.ts'
import { HubError, type Hub } from '../../ports/hub.ts'
import { StoreError } from '../../ports/store/errors.ts'
import type { Store } from '../../ports/store.ts'
import type { Clock } from '../../process/clock.ts'
import type { Runner } from '../../runner/runner.ts'
import type { Scheduler } from '../../scheduler/scheduler.ts'
import { nameOf, sourceKind } from '../projects/project-source.ts'
import { settingsOf, type Projects } from '../projects/projects.ts'
import { queueLimits } from '../scheduling/queue-limits.ts'
import { noBead, noExecution, noProject } from './queries.ts'
import type { ServerViews } from './views.ts'

export type CommandDeps = {
  store: Store
  hub: Hub
  projects: Projects
  views: ServerViews
  runner: Runner
  scheduler: Scheduler
  /** Removes the logs of one execution from the disk. */
  removeLogs: (execution: ExecutionId) => Promise<void>
  clock: Clock
  /** In [0, 1). */
  random: () => number
}

/** What people ask for, over the store, the projects and the runner. */
export function createCommands(deps: CommandDeps): Commands {
  const { store, projects, views, scheduler } = deps
  const shown = (id: ProjectId): ProjectView | Problem => views.project(id) ?? noProject(id)
  const pausing = (paused: boolean) => (id: ProjectId) => {
    if (!store.project(id)) return noProject(id)
    store.updateProject(id, { paused })
    scheduler.nudge()
    return shown(id)
  }

  return {
    addProject: (input) => addProject(deps, input.source, input.id),
    changeProject(id, change) {
      if (!store.project(id)) return noProject(id)
      if (change.autopilot !== undefined) store.updateProject(id, { autopilot: change.autopilot })
      scheduler.nudge()
      return shown(id)
    },
    removeProject: (id) => removeProject(deps, id),
    addBead: (project, bead) => addBead(deps, project, bead),
    changeBead(project, id, { status }) {
      const bead = store.bead(project, id)
      if (!bead) return store.project(project) ? noBead(project, id) : noProject(project)
      const moved = store.moveBead(project, id, { type: status === 'done' ? 'closed' : 'reopened' })
      if (typeof moved === 'object') return new Problem(409, 'not_now', moved.refused)
      scheduler.nudge()
      return views.beadInFull(project, id) ?? noBead(project, id)
    },
    queue: (project, bead, input) => queue(deps, project, bead, input),
    cancel(id) {
      const execution = store.execution(id)
      if (!execution) return noExecution(id)
      if (!canCancel(execution.state))
        return new Problem(409, 'not_now', `the execution has ended already (${execution.state})`)
      const asked = store.requestCancel(id)
      if ('refused' in asked) return new Problem(409, 'not_now', asked.refused)
      deps.runner.cancel(id)
      return views.execution(id) ?? noExecution(id)
    },
    retryNow(id) {
      const execution = store.execution(id)
      if (!execution) return noExecution(id)
      if (execution.retryAt === null || isTerminal(execution.state))
        return new Problem(409, 'not_now', `the execution ${id} does not wait for its next run (${execution.state})`)
      if (execution.cancelRequestedAt !== null)
        return new Problem(409, 'not_now', `the execution ${id} is being stopped`)
      const now = deps.clock.now()
      if (execution.retryAt > now) {
        store.noteExecution(id, { retryAt: now }) // so that a server that dies now does not wait either
        store.addEvent(id, null, 'retry_now', { retry: execution.retryAttempt, early: execution.retryAt - now })
      }
      deps.runner.retryNow(id)
      scheduler.nudge()
      return views.execution(id) ?? noExecution(id)
    },
    async sync(id) {
      if (!store.project(id)) return noProject(id)
      await projects.sync(id, 'asked')
      scheduler.nudge()
      return shown(id)
    },
    pause: pausing(true),
    resume: pausing(false),
  }
}

async function addProject(deps: CommandDeps, source: string, id: string | undefined): Promise<ProjectView | Problem> {
  const { store, projects, views, scheduler } = deps
  if (!sourceKind(source)) {
    return new Problem(
      400,
      'bad_source',
      `"${source}" is neither an absolute path nor a URL that git can fetch (https://…, ssh://…, git@host:…)`,
    )
  }
  const project = id === undefined ? projectIdFrom(nameOf(source) || 'project') : parseProjectId(id)
  if (store.project(project)) {
    return new Problem(
      409,
      'exists',
      `there is a project "${project}" already; choose another id (--id on the command line)`,
    )
  }
  try {
    await projects.add(project, source)
  } catch (error) {
    if (!(error instanceof HubError)) throw error
    if (!store.project(project)) await deps.hub.remove(project)
    return new Problem(422, `repository_${error.kind.replaceAll('-', '_')}`, error.message)
  }
  scheduler.nudge()
  return views.project(project) ?? noProject(project)
}

async function removeProject(deps: CommandDeps, id: ProjectId): Promise<void | Problem> {
  if (!deps.store.project(id)) return noProject(id)
  const executions = idsOfExecutions(deps.store, id)
  try {
    deps.store.removeProject(id)
  } catch (error) {
    if (error instanceof StoreError && error.kind === 'refused') return new Problem(409, 'not_now', error.message)
    throw error
  }
  deps.projects.forget(id)
  await deps.hub.remove(id)
  for (const execution of executions) await deps.removeLogs(execution)
}

const EXECUTIONS_AT_ONCE = 1_000

function idsOfExecutions(store: Store, project: ProjectId): ExecutionId[] {
  const ids: ExecutionId[] = []
  for (let before: number | undefined; ;) {
    const page = store.executions({ project, limit: EXECUTIONS_AT_ONCE, ...(before === undefined ? {} : { before }) })
    ids.push(...page.map(({ id }) => id))
    before = page.at(-1)?.queuedAt
    if (before === undefined || page.length < EXECUTIONS_AT_ONCE) return ids
  }
}

function addBead(deps: CommandDeps, project: ProjectId, input: Parameters<Commands['addBead']>[1]): BeadView | Problem {
  const { store, clock, views, scheduler } = deps
  if (!store.project(project)) return noProject(project)
  const dependsOn = [...new Set(input.dependsOn)]
  const unknown = unknownBeads(store, project, dependsOn)
  if (unknown) return unknown
  const id = newBeadId(deps, project)
  const now = clock.now()
  store.addBead({
    project,
    id,
    title: input.title,
    description: input.description ?? '',
    status: 'open',
    trackerStatus: 'open',
    priority: input.priority ?? 2,
    type: input.type ?? 'task',
    labels: input.labels ?? [],
    dependencies: dependsOn.map((target) => ({ dependsOn: target, type: 'blocks' })),
    createdAt: now,
    updatedAt: now,
    deferUntil: null,
    pinned: false,
    ephemeral: false,
    template: false,
    raw: null,
  })
  scheduler.nudge()
  return views.beadInFull(project, id) ?? noBead(project, id)
}

/** Waiting for a bead that nobody has would be waiting for ever. */
function unknownBeads(store: Store, project: ProjectId, wanted: readonly string[]): Problem | null {
  if (wanted.length === 0) return null
  const known = new Set<string>(store.beads(project).map(({ id }) => id))
  const unknown = wanted.filter((id) => !known.has(id))
  if (unknown.length === 0) return null
  const ids = unknown.map((id) => JSON.stringify(id)).join(', ')
  return new Problem(422, 'unknown_bead', `the project ${project} has no bead ${ids}: name beads that it has`)
}

/** The prefix that most of the project's beads have, and eight characters with a letter and a digit, as `bd` likes them. */
function newBeadId({ store, random }: CommandDeps, project: ProjectId): BeadId {
  const counts = new Map<string, number>()
  for (const { id } of store.beads(project)) {
    const prefix = id.slice(0, Math.max(0, id.lastIndexOf('-')))
    if (prefix) counts.set(prefix, (counts.get(prefix) ?? 0) + 1)
  }
  const prefix = [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? project
  for (;;) {
    const token = Array.from({ length: 6 }, () => Math.floor(random() * 36).toString(36)).join('')
    const id = parseBeadId(`${prefix}-${token}b4`)
    if (!store.bead(project, id)) return id
  }
}

function queue(deps: CommandDeps, project: ProjectId, id: BeadId, input: QueueExecution): ExecutionView | Problem {
  const { store, views, scheduler, random } = deps
  const row = store.project(project)
  if (!row) return noProject(project)
  const bead = store.bead(project, id)
  if (!bead) return noBead(project, id)
  if (bead.status === 'done') return new Problem(409, 'done', `the bead ${id} is done; reopen it first`)
  const tracker = deps.projects.claimsIn(row)
  const claim = tracker === null ? null : whyClaimed(bead, tracker)
  if (claim !== null) {
    const how = tracker === 'bd' ? ` (bd update ${id} --status open --assignee "")` : ''
    return new Problem(409, 'claimed', `the bead ${id} is ${claim.text}: it can run when it is open there again${how}`)
  }
  const { agent, model } = input
  const unusable = whyUnusable(settingsOf(row), { agent, model })
  if (unusable !== null) return new Problem(400, 'agent_unusable', unusable)
  const queued = store.queueExecution({
    id: newExecutionId(random),
    project,
    bead: id,
    kind: 'work',
    branch: branchName(id, bead.title),
    context: input.context ?? '',
    ...((agent || model) && { chosen: { agent, model } }),
    ...queueLimits(settingsOf(row), input),
  })
  if ('refused' in queued) return new Problem(409, 'already_live', queued.refused)
  scheduler.nudge()
  return views.execution(queued.id) ?? noExecution(queued.id)
}

/** What a person chose for one run and the project cannot do; null: it can. */
function whyUnusable(settings: ProjectSettings | null, { agent, model }: RunChoice): string | null {
  if (agent === 'command' && !settings?.command)
    return 'the agent "command" needs a command line: set "command" in beadloom.json'
  if (model === 'scripted' && !settings?.scenario)
    return 'the model "scripted" needs a scenario: set "scenario" in beadloom.json'
  return null
}
