import type { PullRequestView } from '@beadloom/core/api/pull-requests/pull-request-api.ts'
import type { ReviewView } from '@beadloom/core/api/reviews/review-api.ts'
import { reviewText } from './review-text.ts'
import { oneLiner } from '../terminal/terminal-text.ts'

/** A pull request for people. Its address is alone on the last line, where people can click and copy it. */
export function pullRequestLines(view: PullRequestView, review: ReviewView | null): string {
  const { state, id, branch, base, title, detail } = view
  switch (state) {
    case 'reviewing':
    case 'opening':
      return `Pull request ${id} for ${oneLiner(branch)}: ${oneLiner(detail)} Follow it: beadloom pr --wait`
    case 'open':
      return [
        `✓ #${view.number} ${oneLiner(title)}`,
        `  ${oneLiner(branch)} into ${oneLiner(base)}. ${oneLiner(detail)}`,
        ...address(view),
      ].join('\n')
    case 'pushed':
      return [`✓ ${oneLiner(detail)}`, ...address(view)].join('\n')
    case 'not_ready':
      return [
        ...(review ? [reviewText(review)] : [`✕ ${oneLiner(detail)}`]),
        review?.verdict === 'unparseable'
          ? 'No pull request was opened. To review again: beadloom pr'
          : 'No pull request was opened. Fix the issues (each is a bead), or dismiss them and review again: beadloom review --again',
      ].join('\n\n')
    case 'failed':
      return [`✕ ${oneLiner(detail)}`, ...address(view)].join('\n')
  }
}

const address = ({ url }: PullRequestView): string[] => (url === null ? [] : [oneLiner(url)])
