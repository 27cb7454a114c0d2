import type { z } from 'zod/mini'
import { valueWithin } from '@beadloom/core/text/json-values.ts'
import { ForgeError, type ForgeErrorKind } from '../ports/forge.ts'
import { checkAddress, type Answer } from './ask-forge.ts'
import { kindsOfForges } from './forge-kinds.ts'
import type { Forge } from './forge-settings.ts'
import { masked, quoted, safeSentence } from './forge-text.ts'

/** No forge asks for a longer wait, and a wrong clock on its side must not stop work for days. */
const LONGEST_WAIT_MS = 24 * 3_600_000

/** The most JSON values in an answer. A page of a hundred pull requests has forty thousand. */
const MOST_VALUES = 100_000

/** The request, for messages. */
export type Step = { doing: 'find' | 'open' | 'update'; path: string; head: string; base: string }

export const isSuccess = ({ status }: Answer): boolean => status >= 200 && status < 300

const isJson = ({ headers }: Answer): boolean =>
  /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(headers.get('content-type') ?? '')

/** The value of a successful answer. Throws ForgeError if this kind of forge would not answer like that. */
export function valueOf<T>(forge: Forge, answer: Answer, schema: z.core.$ZodType<T> & SafeParse<T>): T {
  const parsed = isJson(answer) ? schema.safeParse(valueWithin(answer.text, MOST_VALUES)) : null
  if (parsed?.success) return parsed.data
  const type = quoted(masked(answer.headers.get('content-type') ?? 'no content type', forge.token), 60)
  const what = parsed === null ? `something that is not JSON (${type})` : 'JSON of an unexpected form'
  const sentence = `${forge.host} answered with ${what}, so it is not the API of ${kindsOfForges[forge.kind].name}. ${checkAddress(forge)}`
  throw new ForgeError('bad-answer', safeSentence(sentence, forge.token))
}
type SafeParse<T> = { safeParse: (value: unknown) => { success: true; data: T } | { success: false } }

/** The error for an unsuccessful answer, which says what to do. */
export function refusal(forge: Forge, step: Step, answer: Answer, now: number): ForgeError {
  const { status, headers } = answer
  const said = saidBy(answer)
  const limited = isLimit(status, headers, said)
  const kind = limited ? 'unavailable' : kindOf(status)
  const at = kind === 'unavailable' ? retryAt(headers, now) : null
  const quote = said === '' ? '' : ` It says: "${quoted(masked(said, forge.token))}".`
  const page =
    isJson(answer) || kind === 'unavailable' ? '' : ` The answer was a web page, not an API's: ${checkAddress(forge)}`
  const sentence = `${sentenceOf(kind, forge, step, status, limited, at)}${quote}${page}`
  return new ForgeError(kind, safeSentence(sentence, forge.token), { retryAt: at })
}

function kindOf(status: number): ForgeErrorKind {
  if (status === 401) return 'unauthorized'
  if (status === 403) return 'forbidden'
  if (status === 404 || status === 410) return 'not-found'
  return status === 408 || status >= 500 ? 'unavailable' : 'refused'
}

function sentenceOf(
  kind: ForgeErrorKind,
  forge: Forge,
  step: Step,
  status: number,
  limited: boolean,
  at: number | null,
): string {
  const { host } = forge
  const { pull, permission } = kindsOfForges[forge.kind]
  const { head, base, path } = named(step)
  const doing = {
    find: `look for ${pull}s in ${path}`,
    open: `open a ${pull} in ${path}`,
    update: `change the ${pull}`,
  }
  if (kind === 'unauthorized')
    return `${host} does not accept the token (401): it is wrong, has expired or was revoked. Make a new one (${permission}), and ${howToSet(forge)}.`
  if (kind === 'forbidden')
    return `${host} does not let the token ${doing[step.doing]} (${status}). Make one that may (${permission}), and ${howToSet(forge)}.`
  if (kind === 'not-found' && step.doing === 'find')
    return `${host} has no repository ${path}, or the token may not see it (${status}). Correct the project's remote, or make a token that may (${permission}), and ${howToSet(forge)}.`
  if (kind === 'not-found')
    return `${host} cannot ${doing[step.doing]} (${status}): check that it has the branches ${head} and ${base}, that ${pull}s are turned on there, and that the token may open them (${permission}).`
  if (kind === 'refused')
    return `${host} refuses the ${pull} from ${head} into ${base} (${status}). Fix what it reports in ${path}, then try again. Nothing was changed.`
  const later = at === null ? 'later' : `at ${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`
  return limited
    ? `${host} is limiting requests (${status}): try again ${later}. Nothing was changed.`
    : `${host} has a problem (${status}): try again ${later}; nothing is opened twice. If it persists, check its status page or ask its administrator.`
}

const named = ({ head, base, path }: Step) => ({
  head: quoted(head, 200),
  base: quoted(base, 200),
  path: quoted(path, 300),
})

/** Advice for setting a token, as the end of a sentence. */
export function howToSet({ host, tokenFrom }: Forge): string {
  const command = `beadloom forge add ${host}`
  if (tokenFrom === null || tokenFrom === 'file') return `add it with: ${command}`
  return `add it with: ${command} (or set ${tokenFrom} in the server's environment and start it again)`
}

/** Some of the messages that these APIs put into `message`, `error` and `errors`, in this order. */
export function saidBy(answer: Answer): string {
  if (!isJson(answer)) return ''
  const words: string[] = []
  collect(valueWithin(answer.text, MOST_VALUES), words, 0)
  return [...new Set(words)].join('; ')
}

const speaking = ['message', 'error', 'error_description', 'errors']

function collect(value: unknown, words: string[], depth: number): void {
  if (words.length >= 5 || depth > 4) return
  if (typeof value === 'string') {
    if (value.trim() !== '') words.push(value.slice(0, 1000))
  } else if (Array.isArray(value)) {
    for (const one of value.slice(0, 5)) collect(one, words, depth + 1)
  } else if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value)
    // GitLab's `message` may have the names of fields, each with its messages.
    const known = depth === 0 ? speaking.map((name) => fields.find(([field]) => field === name)) : fields.slice(0, 10)
    for (const [field, inner] of known.filter((one) => one !== undefined))
      if (depth === 0 || speaking.includes(field) || Array.isArray(inner)) collect(inner, words, depth + 1)
  }
}

/** The time at which the forge wants the next try, in ms UTC; null if it does not say. */
function retryAt(headers: Headers, now: number): number | null {
  const at = afterSeconds(headers.get('retry-after'), now) ?? resetAt(headers)
  return at === null || at < now ? null : Math.min(at, now + LONGEST_WAIT_MS)
}

/** Seconds or a date. */
function afterSeconds(value: string | null, now: number): number | null {
  if (value === null) return null
  if (/^\d{1,9}$/.test(value.trim())) return now + Number(value) * 1000
  const date = Date.parse(value)
  return Number.isNaN(date) ? null : date
}

/** The end of a limit, in seconds UTC, under GitHub's and Gitea's name or GitLab's; only if the limit is used up. */
function resetAt(headers: Headers): number | null {
  for (const prefix of ['x-ratelimit-', 'ratelimit-']) {
    const reset = headers.get(`${prefix}reset`)
    if (headers.get(`${prefix}remaining`)?.trim() === '0' && reset !== null && /^\d{1,12}$/.test(reset.trim()))
      return Number(reset) * 1000
  }
  return null
}

/** A temporary limit, which GitHub also reports as a 403. */
const isLimit = (status: number, headers: Headers, said: string): boolean =>
  status === 429 ||
  (status === 403 &&
    (headers.has('retry-after') ||
      headers.get('x-ratelimit-remaining')?.trim() === '0' ||
      /\brate limit|abuse detection/i.test(said)))
