import type { PullRequestView } from '@beadloom/core/api/pull-requests/pull-request-api.ts'
import type { Tone } from '../../bead/states.ts'

/** The words for the state of a project's pull request. A new state gets its words here. */
export type PullRequestWords = {
  text: string
  tone: Tone
  /** The full sentence. */
  why: string
  /** In progress: it can be cancelled, and no other one can be requested. */
  live: boolean
  /** The target of the link: the forge, or the review. */
  link: { is: 'forge'; url: string; host: string } | { is: 'review'; id: string } | null
}

export function pullRequestWords(view: PullRequestView): PullRequestWords {
  const { state, detail: why, number } = view
  const forge = forgeLink(view.url)
  const review = view.review === null ? null : { is: 'review' as const, id: view.review }
  switch (state) {
    case 'reviewing':
      return {
        text: 'PR: reviewing',
        tone: 'review',
        why: why || 'The branch is being reviewed first.',
        live: true,
        link: review,
      }
    case 'opening':
      return { text: 'PR: opening', tone: 'running', why, live: true, link: forge }
    case 'open':
      return { text: number === null ? 'PR open' : `PR #${number}`, tone: 'completed', why, live: false, link: forge }
    case 'pushed':
      return {
        text: forge === null ? 'Branch pushed' : 'Branch pushed: compare',
        tone: 'completed',
        why,
        live: false,
        link: forge,
      }
    case 'not_ready':
      return { text: 'PR: not ready', tone: 'blocked', why, live: false, link: review }
    case 'failed':
      return { text: 'PR: failed', tone: 'failed', why, live: false, link: forge }
  }
}

/** A forge's address comes from a stranger: only http(s), with its host shown, and without a name or password. */
export function forgeLink(url: string | null): { is: 'forge'; url: string; host: string } | null {
  if (url === null || !URL.canParse(url)) return null
  const { protocol, host, username, password, href } = new URL(url)
  if ((protocol !== 'https:' && protocol !== 'http:') || username !== '' || password !== '') return null
  return { is: 'forge', url: href, host }
}
