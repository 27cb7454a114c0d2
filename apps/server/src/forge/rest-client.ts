import type { NewPullRequest } from '../ports/forge.ts'
import type { Clock } from '../process/clock.ts'
import { isSuccess, refusal, type Step } from './answer.ts'
import { askForge, type Answer } from './ask-forge.ts'
import type { Forge } from './forge-settings.ts'

/** A client's view of one repository. */
export type Connection = { clock: Clock; forge: Forge; token: string; path: string; signal?: AbortSignal | undefined }

export const stepOf = (doing: Step['doing'], path: string, { head, base }: NewPullRequest): Step => ({
  doing,
  path,
  head,
  base,
})

/** One JSON request, for forges whose library is not used. The answer may be a refusal. */
export function askRest(
  { clock, forge, token, signal }: Connection,
  method: string,
  path: string,
  body?: Record<string, string>,
): Promise<Answer> {
  const headers: Record<string, string> = {
    accept: 'application/json',
    // A small compressed answer could become a huge one here.
    'accept-encoding': 'identity',
    authorization: `Bearer ${token}`,
    'user-agent': 'beadloom',
    ...(body && { 'content-type': 'application/json' }),
  }
  const question = { url: forge.api + path, method, headers, body: body ? JSON.stringify(body) : null }
  return askForge(clock, forge, question, signal)
}

/** Returns a successful answer; throws the error for any other. */
export function succeeded({ clock, forge }: Connection, step: Step, answer: Answer): Answer {
  if (isSuccess(answer)) return answer
  throw refusal(forge, step, answer, clock.now())
}

/** A public repository can have any number of pull requests from strangers. */
const MOST_PAGES = 20

/** The first match on the pages of a list, until one is empty. */
export async function firstOnPages<T>(
  page: (number: number) => Promise<readonly T[]>,
  fits: (one: T) => boolean,
): Promise<T | null> {
  for (let number = 1; number <= MOST_PAGES; number++) {
    const items = await page(number)
    const found = items.find(fits)
    if (found !== undefined) return found
    if (items.length === 0) return null
  }
  return null
}
