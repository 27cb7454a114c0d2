import { z } from 'zod/mini'
import en from 'zod/v4/locales/en.js'
import { counted, countText } from '../text/count-text.ts'
import { closestWord } from '../text/closest-word.ts'
import { shortened } from '../text/shortened.ts'

// `zod/mini` comes without error messages, which people need; its messages about sizes use signs ("to have <=255
// characters").
z.config({ ...en(), customError: (issue) => sizeText(issue) })

const units: Readonly<Record<string, string>> = { string: 'character', array: 'entry', set: 'entry', map: 'entry' }

function sizeText(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== 'too_big' && issue.code !== 'too_small') return undefined
  const { origin, inclusive = true } = issue
  const isBig = issue.code === 'too_big'
  const bound = Number(isBig ? issue['maximum'] : issue['minimum'])
  const unit = units[String(origin)]
  if (!isBig && inclusive && bound === 1 && unit !== undefined) return 'must not be empty'
  const word = isBig ? (inclusive ? 'at most' : 'less than') : inclusive ? 'at least' : 'more than'
  const what = unit === undefined ? countText(bound) : counted(bound, unit, unit === 'entry' ? 'entries' : undefined)
  return `must be ${word} ${what}`
}

/** Nobody fixes more at once, and the author of the file decides their number and length. */
export const MOST_PROBLEMS = 60
const LONGEST_PROBLEM = 1_000
const LONGEST_TOGETHER = 15_000

export class ConfigError extends Error {
  override name = 'ConfigError'
  /** The first problems; a sentence counts the others. */
  readonly problems: string[]

  /** @param more the number of further problems */
  constructor(what: string, problems: readonly string[], more = 0) {
    const named = firstOf(problems)
    const others = problems.length - named.length + more
    if (others > 0) named.push(`and ${counted(others, 'more problem')}`)
    super(`${what}: ${named.join('; ')}`)
    this.problems = named
  }
}

function firstOf(problems: readonly string[]): string[] {
  const named: string[] = []
  let together = 0
  for (const problem of problems.slice(0, MOST_PROBLEMS)) {
    const text = shortened(problem, LONGEST_PROBLEM)
    together += text.length
    if (together > LONGEST_TOGETHER) break
    named.push(text)
  }
  return named
}

/** Keys of compose files and workflows that would weaken a container's isolation, or give it access to the machine. */
const OF_THE_MACHINE = new Set(
  'privileged cap_add security_opt devices network network_mode pid ipc userns_mode volumes volumes_from extra_hosts'.split(
    ' ',
  ),
)
const NOT_FOR_SERVICES = 'no service gets a folder, a network or a right of the machine'

/** One sentence for one zod issue: the place, and the right form. */
export const describeIssue = (issue: z.core.$ZodIssue): string => describe(issue, [])

/** The same for a document with these keys: the sentence about a misspelt key suggests the right one. */
export const describeIssueAmong =
  (keys: readonly string[]) =>
  (issue: z.core.$ZodIssue): string =>
    describe(issue, keys)

/** Nobody fixes more at once, and finding the right key is expensive. */
const MOST_NAMED = 20
const LONGEST_KEY = 200
/** Leaves room for the count of the others within the longest problem. */
const LONGEST_NAMED = 800

function describe(issue: z.core.$ZodIssue, known: readonly string[]): string {
  const path = issue.path.map((part) => String(part).slice(0, LONGEST_KEY)).join('.')
  if (issue.code === 'unrecognized_keys') {
    const all = issue.keys.slice(0, MOST_NAMED).map((key) => {
      const meant = path === '' ? closestWord(key, known) : null
      const why = issue.path[0] === 'services' && OF_THE_MACHINE.has(key) ? ` (${NOT_FOR_SERVICES})` : ''
      return `"${[path, key.slice(0, LONGEST_KEY)].filter(Boolean).join('.')}"${meant === null ? why : ` (did you mean "${meant}"?)`}`
    })
    let length = 0
    const named = all.filter((text, at) => (length += text.length) <= LONGEST_NAMED || at === 0)
    const more = issue.keys.length - named.length
    return `unknown ${issue.keys.length > 1 ? 'keys' : 'key'} ${named.join(', ')}${more > 0 ? ` and ${countText(more)} more` : ''}`
  }
  const own = issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message
  const message = own.replace(/^Invalid input: /, '')
  return path ? `"${path}": ${message}` : message
}
