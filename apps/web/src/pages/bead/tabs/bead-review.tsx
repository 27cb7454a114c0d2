import { asSentence } from '@beadloom/core/text/sentence.ts'
import { getRouteApi, Link } from '@tanstack/react-router'
import css from './bead-review.module.css'
import type { ReviewCommands } from '../../../components/review/review-commands.tsx'
import { ReviewPanel } from '../../../components/review/review-panel.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { PanelMessage } from '../../../ui/panel-message.tsx'
import { LoadFailure } from '../../../ui/load-failure.tsx'

const route = getRouteApi('/p/$project/b/$bead')

/** The newest review of the bead. */
export function BeadReview({ project, bead, review }: { project: string; bead: string; review: ReviewCommands }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { state, known, refusal, error, retry } = review
  if (error !== null) return <LoadFailure what="The reviews" error={error} onRetry={retry} />
  if (state.is === 'none')
    return known ? (
      <PanelMessage title={`${bead} has not been reviewed`}>
        <p>
          A separate agent reads its commits and reports problems; each issue becomes a bead.{' '}
          {refusal === null ? 'Press Review above (R).' : asSentence(refusal)}
        </p>
      </PanelMessage>
    ) : (
      <Loading what="review" />
    )
  return (
    <>
      <ReviewPanel
        key={state.id}
        project={project}
        id={state.id}
        search={search}
        onSearch={(patch) => void navigate({ search: (old) => ({ ...old, ...patch }), replace: true })}
        onAgain={review.again}
        againBusy={review.busy}
        againRefusal={refusal}
      />
      <p className={css['more']}>
        <Link to="/p/$project/reviews/$review" params={{ project, review: state.id }}>
          Open this review on its own page
        </Link>
        <Link to="/p/$project/reviews" params={{ project }}>
          All reviews of this project
        </Link>
      </p>
    </>
  )
}
