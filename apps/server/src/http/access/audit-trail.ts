import type { IncomingMessage } from 'node:http'
import type { ActionName } from '@beadloom/core/access/action-words.ts'
import { browserWords } from '@beadloom/core/access/browser-words.ts'
import type { Role } from '@beadloom/core/access/roles.ts'
import type { NewAuditEntry } from '@beadloom/core/audit/entry.ts'
import { afterwards } from '../afterwards.ts'
import type { PatientStore } from '../../ports/store/patient.ts'
import type { AuditStore } from '../../ports/store/people/audit.ts'
import type { Clock } from '../../process/clock.ts'
import type { PeopleSettings } from '../../process/settings/people-settings.ts'
import { fromWhere } from './from-where.ts'
import type { Person } from './person.ts'

export type AuditTrailDeps = {
  audit: Pick<AuditStore, 'addAudit'>
  /** Takes refusals and ends, which nothing waits for: it can wait until the database can be written. */
  later: Pick<PatientStore, 'addAudit'>
  people: PeopleSettings | null
  clock: Pick<Clock, 'monotonic'>
  /** Called if a refusal or an end could not be written. */
  report: (error: unknown) => void
}

/** `role`: the role that decided. */
type Who = Pick<Person, 'name' | 'by' | 'role' | 'signIn'>

/** An action and its object: ids and names of fields, no value. */
export type Deed = { action: ActionName; on: Readonly<Record<string, string>>; about: string }

const HOUR_MS = 3_600_000
/**
 * The most recorded refusals of one person in an hour. A refusal costs nothing to cause, and each is a permanent row.
 */
const MOST_REFUSALS = 100
const MOST_PEOPLE = 1_000

/**
 * Writes people's actions into the audit log, at the door. `asked` throws if it cannot write: an action that is not in
 * the log is not done.
 */
export class AuditTrail {
  readonly #deps: AuditTrailDeps
  readonly #from: ReturnType<typeof fromWhere>
  readonly #refusals = new Map<string, { since: number; count: number }>()

  constructor(deps: AuditTrailDeps) {
    this.#deps = deps
    this.#from = fromWhere(deps.people?.proxies ?? [])
  }

  /** Call it before the action. The returned function writes how it ended; `code` null: it is done. */
  asked(
    request: IncomingMessage,
    person: Who,
    deed: Deed,
  ): (on: Readonly<Record<string, string>>, code: string | null) => void {
    const entry = this.#entry(request, person, deed)
    const of = this.#deps.audit.addAudit(entry)
    return (on, code) =>
      this.#write({ ...entry, on: { ...on, ...deed.on }, outcome: code === null ? 'done' : 'failed', of, code })
  }

  /** Call it if the role was too low. */
  refused(request: IncomingMessage, person: Who, deed: Deed, needs: Role): void {
    const count = this.#countRefusal(JSON.stringify([person.by, person.name]))
    if (count > MOST_REFUSALS) return
    const about = count === MOST_REFUSALS ? 'and what else is refused within the hour' : deed.about
    this.#write({ ...this.#entry(request, person, { ...deed, about }), outcome: 'refused', needs })
  }

  /** Call it before signing in or out, as `asked`. */
  signs(
    request: IncomingMessage,
    { name, via }: { name: string; via: 'token' | 'oidc' },
    action: 'signed_in' | 'signed_out',
    signIn?: number,
  ): void {
    const about = browserWords(request.headers['user-agent'] ?? '')
    const person: Who = { name, by: via, role: null, ...(signIn !== undefined && { signIn }) }
    this.#deps.audit.addAudit(this.#entry(request, person, { action, on: {}, about }))
  }

  #entry(request: IncomingMessage, { name, by, role, signIn }: Who, deed: Deed): NewAuditEntry {
    return {
      by: name,
      via: by,
      role,
      signIn: signIn ?? null,
      ...this.#from(request),
      ...deed,
      outcome: 'allowed',
      needs: null,
      of: null,
      code: null,
    }
  }

  #write(entry: NewAuditEntry): void {
    afterwards(() => this.#deps.later.addAudit(entry), this.#deps.report)
  }

  #countRefusal(who: string): number {
    const now = this.#deps.clock.monotonic()
    const known = this.#refusals.get(who)
    if (known !== undefined && now - known.since < HOUR_MS) return ++known.count
    if (this.#refusals.size >= MOST_PEOPLE) this.#refusals.clear()
    this.#refusals.set(who, { since: now, count: 1 })
    return 1
  }
}
