import type { IncomingMessage } from 'node:http'
import { ruleOf } from '@beadloom/core/access/route-roles.ts'
import type { PatientStore } from '../../ports/store/patient.ts'
import type { ActionPlace, ActionStore } from '../../ports/store/people/actions.ts'
import type { AuditTrail, Deed } from '../access/audit-trail.ts'
import type { Person } from '../access/person.ts'
import { afterwards } from '../afterwards.ts'
import { Problem } from '../../ports/problem.ts'
import { toProblem } from './problems.ts'
import { Reply, type Route } from './route.ts'
import type { Valid } from './validate.ts'

/** The end of an action can wait until the database can be written: nothing waits for it. */
export type ActionLog = Pick<ActionStore, 'beginAction'> & Pick<PatientStore, 'endAction' | 'dropAction'>

export type NotedDeps = {
  actions: ActionLog
  trail: Pick<AuditTrail, 'asked' | 'refused'>
  report: (error: unknown) => void
}

/**
 * Does what a person asks for, and notes who. It notes that first, so that a server that dies half-way knows who asked.
 * A refused request, or one that was done already, is only in the audit log.
 */
export async function noted<T>(
  { actions, trail, report }: NotedDeps,
  route: Pick<Route, 'method' | 'path'>,
  { person, request }: { person: Pick<Person, 'name' | 'by' | 'role' | 'signIn'>; request: IncomingMessage },
  valid: Valid,
  act: () => T | Promise<T>,
): Promise<T> {
  const deed = deedOf(route, valid)
  if (deed === null) return act()
  const { action, about } = deed
  const params = placeIn(valid.params)
  const ended = trail.asked(request, person, deed)
  let id: number | null = null
  let answer: T
  try {
    id = actions.beginAction({ by: person.name, via: person.by, action, about, ...params })
    answer = await act()
  } catch (error) {
    const { status, code } = toProblem(error)
    ended({}, code)
    // After a bug nobody knows how far it got; any other error refused the action before anything was done.
    const begun = id
    if (begun !== null && status !== 500) afterwards(() => actions.dropAction(begun), report)
    throw error
  }
  ended(idsIn(placeOfAnswer(answer)), answer instanceof Problem ? answer.code : null)
  const done = id
  const isRefused = answer instanceof Problem || answer instanceof Reply
  const place = { ...placeOfAnswer(answer), ...params }
  // The action is done, and its asker is noted.
  afterwards(() => (isRefused ? actions.dropAction(done) : actions.endAction(done, place)), report)
  return answer
}

/** Null if it is not noted. */
export function deedOf({ method, path }: Pick<Route, 'method' | 'path'>, { params, body }: Valid): Deed | null {
  const noun = ruleOf(method, path)?.action
  if (noun === undefined) return null
  const given = fieldsOf(body)
  const action = noun === 'queued' && given['answers'] !== undefined ? 'answered' : noun
  return { action, on: idsIn(params), about: aboutOf(params, given) }
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const placeIn = ({ project, bead, execution }: Partial<Valid['params']>): ActionPlace => ({
  ...(project !== undefined && { project }),
  ...(bead !== undefined && { bead }),
  ...(execution !== undefined && { execution }),
})

/** Every id and name in a path, as text. */
export const idsIn = (params: Readonly<Partial<Record<string, unknown>>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(params).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )

/** The place of a new object, whose id the request could not know. */
function placeOfAnswer(answer: unknown): ActionPlace {
  const { id, project, bead } = fieldsOf(answer)
  const own = textOf(id)
  const place = { project: textOf(project), bead: textOf(bead) }
  if (place.project === undefined) return { project: own }
  if (own === undefined || place.bead !== undefined || /^(ex|pr)-[a-z0-9]{10}$/.test(own))
    return own?.startsWith('ex-') ? { ...place, execution: own } : place
  return { ...place, bead: own }
}

const LONGEST_ABOUT = 200

/** The fields that a change names, and which secret or issue. Only names, so that no value is kept here. */
function aboutOf(params: Partial<Valid['params']>, body: Readonly<Record<string, unknown>>): string {
  const { secret, webhook, container, issue, signIn } = params
  const named = [
    secret,
    webhook,
    container,
    issue === undefined ? undefined : `issue ${issue}`,
    signIn === undefined ? undefined : `browser ${signIn}`,
  ].filter((one) => one !== undefined)
  const changes = fieldsOf(body['changes'])
  const fields = Object.keys(Object.keys(changes).length > 0 ? changes : body)
  const told = named.length > 0 ? named : fields
  return told.join(', ').slice(0, LONGEST_ABOUT)
}
