import { maskText } from '../../digest/fingerprint.ts'
import type { Verification } from '../../records/verification.ts'

/** "src/a.ts(3,5): error TS2322: …", "src/a.c:3:5: error: …": the file, and the message. */
const PLACE =
  /(?<![\w/.@+~-])((?:[\w.@+~-]+\/)*[\w.@+~-]+\.[A-Za-z]\w{0,6})(?:\(\d+(?:,\d+)?\)|:\d+(?::\d+)?)[:\s-]*(.{4,})/

/** The messages of each file with errors, without lines and amounts. */
function errorsIn(digest: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const line of digest.split('\n')) {
    const [, file, said = ''] = PLACE.exec(line) ?? []
    if (file === undefined || !/[A-Za-z]{3}/.test(said)) continue
    found.set(file, (found.get(file) ?? new Set()).add(maskText(said)))
  }
  return found
}

/**
 * Files that failed in one attempt after another, each time with other errors: the agent does not see what they depend
 * on, or the check is flaky and reports something else each time.
 *
 * @param decisive the failure that decided each attempt, in order
 */
export function changingErrors(decisive: readonly Pick<Verification, 'attempt' | 'digest'>[]): string[] {
  const attempts = decisive.map(({ attempt, digest }) => ({ attempt, errors: errorsIn(digest) }))
  const files = new Set(attempts.flatMap(({ errors }) => [...errors.keys()]))
  const changing = [...files].flatMap((file) => {
    const failed = attempts.filter(({ errors }) => errors.has(file))
    const differ = failed.every(
      ({ errors }, at) => at === 0 || !shares(errors.get(file)!, failed[at - 1]!.errors.get(file)!),
    )
    return failed.length > 1 && differ ? [{ file, attempts: failed.map(({ attempt }) => attempt) }] : []
  })
  const [first] = changing
  if (!first) return []
  const more = changing.length === 1 ? '' : ` (and in ${changing.length - 1} more)`
  const last = first.attempts.at(-1)
  const which = `${first.attempts.slice(0, -1).join(', ')} and ${last}`
  return [`the errors in ${first.file}${more} differed in attempts ${which}: fixing one may cause the next`]
}

const shares = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  [...one].some((said) => other.has(said))
