import type { PlaceName } from '@beadloom/core/access/route-places.ts'
import type { Page } from '@beadloom/core/api/api.ts'
import type { AuditCut, AuditEnds, AuditHead, AuditView } from '@beadloom/core/api/people/audit-api.ts'
import type { ActionView, MeView } from '@beadloom/core/api/people/people-api.ts'
import type { SignInsView } from '@beadloom/core/api/people/sign-ins-api.ts'
import type { ProjectId } from '@beadloom/core/records/ids.ts'
import type { Person } from './access/person.ts'
import type { Answer } from '../ports/problem.ts'

/* The part of `ports.ts` about people: who asks, what they see, and what they did. */

/** The project that something belongs to, by its parsed id; null if there is no such thing. */
export type ProjectOf = (by: PlaceName, id: string) => string | null

/** The people who are signed in, and the record of people's actions. */
export interface PeopleApi {
  me(person: Person): MeView
  /** Newest first. A `cursor` that is not ours is a `Problem` with status 400. */
  actions(filter: {
    project?: ProjectId | undefined
    limit: number
    cursor?: string | undefined
  }): Answer<Page<ActionView>>
}

/** The audit log, which admins alone read. */
export interface AuditApi {
  /** Newest first. A `cursor` that is not ours is a `Problem` with status 400. */
  list(filter: {
    by?: string | undefined
    project?: ProjectId | undefined
    action?: string | undefined
    limit: number
    cursor?: string | undefined
  }): Answer<Page<AuditView>>
  head(): AuditEnds
  /** Lines after this entry, up to the newest one at the time of the call, oldest first. */
  lines(after: number): AsyncIterable<string>
  /** 409 if that entry is not in the chain. */
  cut(through: AuditHead): Answer<AuditCut>
}

/** Browsers that are signed in. Admins see and end all of them, others their own. */
export interface SignInApi {
  /** The newest first. */
  list(person: Person): SignInsView
  /** Closes its sockets within seconds. 404 if there is none, or it is another person's. */
  end(person: Person, id: number): Answer<void>
}
