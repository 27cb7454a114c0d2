import { cutList, cutStatus } from '@beadloom/core/api/people/cut-answer.ts'
import { placeOf, type PlaceName, type RoutePlace } from '@beadloom/core/access/route-places.ts'
import { ruleOf } from '@beadloom/core/access/route-roles.ts'
import { decide, seesAll, seesProject, type About, type Decision } from '@beadloom/core/access/standing.ts'
import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import { Problem } from '../../ports/problem.ts'
import type { Route } from '../routing/route.ts'
import type { Person } from './person.ts'

/** The project that something belongs to, by its parsed id; null if there is no such thing. */
export type ProjectOf = (by: PlaceName, id: string) => string | null

type Named = Pick<Route, 'method' | 'path'>

/** Decides who may call a route, and how much of its answer they see, by the rules of core and the store's projects. */
export class Door {
  readonly #projectOf: ProjectOf

  constructor(projectOf: ProjectOf) {
    this.#projectOf = projectOf
  }

  /** @param params the parsed ids of the path; null: they are malformed */
  decide(person: Person, { method, path }: Named, params: Readonly<Record<string, unknown>> | null): Decision {
    const needs = ruleOf(method, path)?.role ?? 'admin'
    const place = placeOf(method, path)
    return decide(person, needs, place === null ? { is: 'server' } : this.#about(place, params))
  }

  /** A list's answer, reduced to what this person sees. */
  cut(person: Person, { method, path }: Named, answer: unknown): unknown {
    const place = placeOf(method, path)
    if (place === null || answer instanceof Problem || seesAll(person)) return answer
    const sees = (project: string) => seesProject(person, project)
    if (place.is === 'status')
      return cutStatus(answer as ServerStatus, sees, (execution) => this.#projectOf('execution', execution))
    if (place.is !== 'list') return answer
    // An item without a project belongs to the server.
    return cutList(answer, place.by, (project) => (project === null ? person.role !== null : sees(project)))
  }

  #about(place: RoutePlace, params: Readonly<Record<string, unknown>> | null): About {
    if (place.is === 'project')
      return { is: 'project', project: params && this.#projectOf(place.by, String(params[place.by])) }
    return place.is === 'list' || place.is === 'status' ? { is: 'anywhere' } : place
  }
}
