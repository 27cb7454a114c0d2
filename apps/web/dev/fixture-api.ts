import { large, whyNotAdded } from './fixture-adding.ts'
import type { ChangeInbox } from '@beadloom/core/api/projects/inbox-api.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddProject } from '@beadloom/core/api/projects/project-requests.ts'
import type { ChangeBead, NewBead } from '@beadloom/core/api/beads/bead-requests.ts'
import type { PauseExecution, QueueExecution, SayMessage } from '@beadloom/core/api/executions/execution-requests.ts'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import { stripAnsi } from '@beadloom/core/text/ansi.ts'
import { actionsOn } from './fixture-people.ts'
import { activityOf } from './fixture-activity.ts'
import { budgetOf } from './fixture-budget.ts'
import { branchOf, diffOf, gitRefusal, whyOf } from './fixture-diff.ts'
import { dependenciesOf } from './fixture-graph.ts'
import { egress } from './fixture-egress.ts'
import { environmentOf } from './fixture-environment.ts'
import { handleSignIns } from './fixture-sign-ins.ts'
import { handleWebhooks } from './fixture-webhooks.ts'
import { handleMessages } from './fixture-messages.ts'
import { handlePlan, pauseOrResume } from './fixture-plan-api.ts'
import { handleReview, handleReviews } from './fixture-review-api.ts'
import {
  changeServer,
  changeSettings,
  namedAgents,
  projectSettings,
  secretsOf,
  serverSettings,
  syncOf,
} from './fixture-settings.ts'
import { conversationCalls } from './fixture-conversation.ts'
import { agentsOf, handleKept, systemOf } from './fixture-system.ts'
import { handleViews } from './fixture-views.ts'
import { marksOf, styleOf } from './fixture-marks.ts'
import type { ChangeProjectSettings, ChangeServerSettings } from '@beadloom/core/api/settings/settings-api.ts'
import { countsOf, type FixtureBead, type FixtureProject } from './fixture-data.ts'
import type { FixtureWorld } from './fixture-world.ts'

/** The part of the HTTP API that the dashboard uses. */
export async function handleApi(
  world: FixtureWorld,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://localhost')
  const path = url.pathname.split('/').slice(2).map(decodeURIComponent)
  const method = request.method ?? 'GET'
  const body = await bodyOf(request)
  const answer = (status: number, value: unknown) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(value))
  }
  const refuse = (status: number, code: string, message: string) => answer(status, { error: { code, message } })
  const text = (value: string) => {
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' })
    response.end(value)
  }

  if (world.mood === 'away') return void request.socket.destroy()
  if (world.mood === 'silent') return
  if (world.mood === 'strange') return refuse(401, 'unauthorized', 'Sign in with the link that the server printed.')
  if (world.mood === 'broken') return refuse(500, 'internal', "Internal error. The server's log has the details.")
  if (path[0] === 'system') return answer(200, systemOf(world))
  if (path[0] === 'me') return answer(200, world.me)
  if (path[0] === 'agents') return answer(200, { items: agentsOf() })
  if (path[0] === 'settings') {
    if (method === 'PATCH') changeServer(body as ChangeServerSettings)
    return answer(200, serverSettings())
  }
  if (path[0] === 'sign-ins') return answer(200, handleSignIns(method, path[1]))
  if (path[0] === 'ticket') return answer(200, { url: url.searchParams.get('for') })
  if (path[0] === 'webhooks') return answer(200, handleWebhooks(method, path, body))
  if (path[0] === 'containers') return answer(200, handleKept(world, method, path))
  if (path[0] === 'projects' && path.length === 1 && method === 'GET')
    return answer(200, {
      items: world.projects.map(({ view, beads }) => ({ ...view, beadCounts: countsOf(beads.values()) })),
    })
  if (path[0] === 'adding' && method === 'DELETE') {
    world.endAdding?.()
    world.endAdding = null
    return void response.writeHead(204).end()
  }
  if (path[0] === 'adding') return answer(200, { items: world.endAdding === null ? [] : [large] })
  if (path[0] === 'projects' && path.length === 1 && method === 'POST') {
    const { source } = body as AddProject
    if (source.endsWith('/large')) {
      // It is being fetched, and so it stays.
      world.endAdding = () => refuse(409, 'cancelled', '"large" was not added: that was cancelled.')
      return
    }
    return refuse(422, ...whyNotAdded(body as AddProject))
  }
  if (path[0] === 'projects') {
    const project = world.project(path[1] ?? '')
    if (!project) return refuse(404, 'not_found', `There is no project ${path[1]}.`)
    if (path[2] === 'beads' && method === 'POST' && path.length === 3)
      return answer(201, addBead(world, project, body as NewBead))
    if (path[2] === 'reviews' || path[2] === 'pull-requests')
      return handleReviews({ world, project, method, path, url, body }, answer)
    if (path[2] === 'views') return handleViews({ project, method, path, body }, answer, refuse)
    if (path[2] === 'activity') return answer(200, activityOf(project, Number(url.searchParams.get('days'))))
    if (path[2] === 'dependencies') return answer(200, dependenciesOf(project))
    if (path[2] === 'environment' && method === 'GET' && path.length === 3) return answer(200, environmentOf(project))
    if (path[2] === 'inbox') return answer(200, world.inbox(project, method === 'PATCH' ? (body as ChangeInbox) : {}))
    if (path[2] === 'secrets') return answer(200, secretsOf(method, path[3]))
    if (path[2] === 'agents') return answer(200, namedAgents)
    if (path[2] === 'settings') {
      try {
        if (method === 'PATCH') changeSettings(project, body as ChangeProjectSettings)
      } catch (error) {
        return refuse(422, 'invalid_settings', error instanceof Error ? error.message : String(error))
      }
      return answer(200, projectSettings(project))
    }
    if (path[2] === 'sync' && method === 'GET') return answer(200, syncOf(project))
    if (path[2] === 'budget') return answer(200, budgetOf(project, Number(url.searchParams.get('days'))))
    const bead = project.beads.get(path[3] ?? '')
    if (path[2] === 'beads') {
      if (!bead) return refuse(404, 'not_found', `There is no bead ${path[3]} in ${path[1]}.`)
      if (path[4] === 'plan') return handlePlan({ world, project, bead, method, path, url, body }, answer)
      if (path[4] === 'executions') {
        // For looking at how the dialog shows a refusal.
        if ((body as QueueExecution).retryOn?.includes('refuse'))
          return answer(400, {
            error: {
              code: 'invalid',
              message: 'retryOn.0: cannot be refused',
              details: [{ field: 'retryOn.0', problem: 'cannot be refused' }],
            },
          })
        const live = world.live(project, bead)
        if (live) return refuse(409, 'refused', `bead ${bead.id} already has a live execution: ${live.id}`)
        return answer(202, world.queue(project, bead))
      }
      const change = body as ChangeBead
      if (method === 'PATCH' && change.status) world.setStatus(project, bead, change.status)
      if (method === 'PATCH' && change.priority) {
        if (bead.priority !== change.priority.was)
          return refuse(409, 'changed', `the priority of ${bead.id} was changed by somebody else meanwhile`)
        bead.priority = change.priority.to
        world.tellBead(project, bead)
      }
      if (method === 'PATCH' && change.title?.to === 'Refused')
        return refuse(409, 'changed', `the title of ${bead.id} was changed by somebody else meanwhile`)
      return answer(200, {
        ...beadView(project, bead),
        ...(world.mood === 'viewer' && { actions: actionsOn(bead.id) }),
      })
    }
    if (method === 'PATCH') Object.assign(project.view, body)
    if (path[2] === 'pause' || path[2] === 'resume') project.view = { ...project.view, paused: path[2] === 'pause' }
    world.projectChanged(project)
    return answer(200, project.view)
  }
  if (path[0] === 'reviews') return handleReview(world, path, body, answer)
  if (path[0] === 'executions' && path.length === 1)
    return answer(200, {
      items: [...(world.project(url.searchParams.get('project') ?? '')?.executions.values() ?? [])],
    })
  if (path[0] === 'executions') {
    const found = world.execution(path[1] ?? '')
    if (!found) return refuse(404, 'not_found', `There is no execution ${path[1]}.`)
    if (path[2] === 'cancel') {
      world.end(found.project, found.run, 'CANCELLED', 'You stopped it.')
      return answer(202, found.run)
    }
    if ((path[2] === 'diff' || path[2] === 'commits') && found.run.bead === 'eg-git')
      return refuse(502, 'git_failed', gitRefusal)
    if (path[2] === 'commits') return answer(200, branchOf(found.run.bead, world.epoch))
    if (path[2] === 'egress') return answer(200, egress)
    if (path[2] === 'why') return answer(200, whyOf(found.run, url.searchParams.get('text') ?? ''))
    if (path[2] === 'allow-tests') {
      const run = { ...found.run, verifications: [] }
      world.tellExecution(found.project, run)
      return answer(202, run)
    }
    if (path[2] === 'pause' || path[2] === 'resume')
      return answer(202, pauseOrResume(world, found, path[2], body as PauseExecution))
    if (path.length === 2 && method === 'PATCH') return answer(200, { ...found.run, course: body })
    if (path[2] === 'messages') return answer(...handleMessages(world, found, method, body as SayMessage))
    if (path[2] === 'retry-now') {
      const run = { ...found.run, waits: null }
      world.tellExecution(found.project, run)
      return answer(202, run)
    }
    if (path[2] === 'grants') {
      const run = { ...found.run, waits: null }
      world.tellExecution(found.project, run)
      return answer(202, run)
    }
    if (path[2] === 'phases') return answer(200, { items: found.project.phases?.get(found.run.id) ?? [] })
    if (path[2] === 'log') {
      const counted = found.run.sessions.flatMap(({ id }) => {
        const log = id === url.searchParams.get('except') ? null : world.log(id)
        return log ? [JSON.stringify({ session: id, hits: hitsIn(log, url.searchParams).length, more: false })] : []
      })
      return text([...counted, JSON.stringify({ done: true }), ''].join('\n'))
    }
    if (path[2] === 'diff') return answer(200, diffOf(found.run.bead, url.searchParams, world.epoch))
    return answer(200, found.run)
  }
  const log = path[0] === 'sessions' ? world.log(path[1] ?? '') : null
  if (!log) return refuse(404, 'not_found', `Session ${path[1]} has no log.`)
  if (log.neverComes === true) return
  const lines = log.lines()
  if (path[3] === 'meta')
    return answer(200, {
      epoch: world.epoch,
      lines,
      bytes: lines * 60,
      complete: log.complete,
      blockLines: 512,
      sections: [],
    })
  if (path[3] === 'blocks') {
    const first = Number(path[4]) * 512
    response.setHeader('beadloom-log-style', styleOf(Number(path[4])))
    return text(
      Array.from({ length: Math.max(0, Math.min(512, lines - first)) }, (_, n) => `${log.line(first + n)}\n`).join(''),
    )
  }
  if (path[3] === 'calls') {
    const [from = 0, to = lines] = ['from', 'to'].map((name) => Number(url.searchParams.get(name)))
    return answer(200, { items: conversationCalls(from, Math.min(to, lines)) })
  }
  if (path[3] === 'marks') {
    const [from = 0, to = lines] = ['from', 'to'].map((name) => Number(url.searchParams.get(name)))
    return answer(200, marksOf(from, Math.min(to, lines)))
  }
  if (path[3] === 'raw') return text(Array.from({ length: lines }, (_, n) => `${stripAnsi(log.line(n))}\n`).join(''))
  const hits = hitsIn(log, url.searchParams)
  text([...hits, JSON.stringify({ done: true, hits: hits.length, lines, more: false }), ''].join('\n'))
}

function hitsIn(log: NonNullable<ReturnType<FixtureWorld['log']>>, asked: URLSearchParams): string[] {
  const query = asked.get('q') ?? ''
  const fold = (line: string) => (asked.has('case') ? line : line.toLowerCase())
  const hits: string[] = []
  for (let n = 0; n < log.lines(); n++) {
    const line = fold(stripAnsi(log.line(n)))
    for (let at = line.indexOf(fold(query)); at >= 0; at = line.indexOf(fold(query), at + query.length))
      hits.push(JSON.stringify([n, at, query.length]))
  }
  return hits
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text === '' ? {} : JSON.parse(text)
}

function addBead(world: FixtureWorld, project: FixtureProject, given: NewBead): BeadView {
  const id = `new-${project.beads.size}`
  const at = Date.now()
  const bead: FixtureBead = {
    project: project.view.id,
    id,
    title: given.title,
    description: given.description ?? '',
    status: 'open',
    trackerStatus: 'open',
    priority: given.priority ?? 2,
    type: given.type ?? 'task',
    labels: given.labels ?? [],
    createdAt: at,
    updatedAt: at,
    hidden: false,
    ready: true,
    reason: null,
    execution: null,
  }
  project.beads.set(id, bead)
  world.added(project, bead)
  return beadView(project, bead)
}

function beadView(project: FixtureProject, bead: FixtureBead): BeadView {
  const executions = [...project.executions.values()]
    .filter((run) => run.bead === bead.id)
    .reverse()
    .toSorted((a, b) => b.queuedAt - a.queuedAt)
  const other = (id: string) => project.beads.get(id)
  return {
    ...bead,
    dependencies: [
      ...(bead.reason?.beads ?? []).map((id) => ({ id, type: 'blocks' })),
      ...[...project.executions.values()]
        .filter(({ followUps }) => followUps.some((one) => one.bead === bead.id))
        .map((run) => ({ id: run.bead, type: 'discovered-from' })),
    ].map((edge) => ({
      ...edge,
      status: other(edge.id)?.status ?? ('missing' as const),
      title: other(edge.id)?.title ?? null,
    })),
    dependents: [
      ...[...project.beads.values()]
        .filter((one) => one.reason?.beads?.includes(bead.id))
        .map(({ id, status, title }) => ({ id, type: 'blocks', status, title })),
      ...executions
        .flatMap(({ followUps }) => followUps)
        .map((one) => ({ id: one.bead, type: 'discovered-from', status: one.status, title: one.title })),
    ],
    executions,
  }
}
