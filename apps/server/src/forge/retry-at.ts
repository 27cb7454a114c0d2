/** Longer than this no forge means it, and a wrong clock on its side must not stop work for days. */
const LONGEST_WAIT_MS = 24 * 3_600_000

/** When a forge says that later is better, in ms UTC; null where it does not say. */
export function retryAt(headers: Headers, now: number): number | null {
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

/** Seconds UTC: GitHub's and Gitea's name, and GitLab's. Only where nothing is left of the limit. */
function resetAt(headers: Headers): number | null {
  for (const prefix of ['x-ratelimit-', 'ratelimit-']) {
    const reset = headers.get(`${prefix}reset`)
    if (headers.get(`${prefix}remaining`)?.trim() === '0' && reset !== null && /^\d{1,12}$/.test(reset.trim()))
      return Number(reset) * 1000
  }
  return null
}

/** A limit that passes, whatever the status: GitHub says so with a 403 too. */
export const isLimit = (status: number, headers: Headers, said: string): boolean =>
  status === 429 ||
  (status === 403 &&
    (headers.has('retry-after') ||
      headers.get('x-ratelimit-remaining')?.trim() === '0' ||
      /\brate limit|abuse detection/i.test(said)))
