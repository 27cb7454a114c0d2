import { getRouteApi, Link } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { useEffect } from 'react'
import css from './review-page.module.css'
import { useReviewCommands } from '../../components/review/review-commands.tsx'
import { ReviewPanel } from '../../components/review/review-panel.tsx'
import { useReview } from '../../components/review/use-reviews.ts'
import { useBoard, useHome } from '../../feed/feed-context.tsx'
import { shown } from '../../ui/text/hostile-text.ts'
import { useKeys } from '../../ui/keys/keys.ts'
import { usePageTitle } from '../../ui/page-title.ts'

const route = getRouteApi('/p/$project/reviews/$review')

/** One review, at an address that people can share. */
export function ReviewPage() {
  const { project, review: id } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { review } = useReview(project, id)
  const board = useBoard(project).view
  const view = useHome().view?.projects.get(project)
  const bead = review?.bead ?? null
  const card = bead === null ? undefined : board?.beads.get(bead)
  const work = card?.execution ? board?.executions.get(card.execution) : undefined
  const open = (next: string) => void navigate({ to: '/p/$project/reviews/$review', params: { project, review: next } })
  const commands = useReviewCommands({ project, bead, work, problem: view?.problem ?? null, open })
  const newest = 'id' in commands.state ? commands.state.id : null
  const back = () => void navigate({ to: '/p/$project/reviews', params: { project } })
  const title = review === null ? 'Review' : `Review of ${bead === null ? review.branch : bead}`

  usePageTitle(shown(title))
  useEffect(() => {
    if (commands.asked !== null && commands.asked !== id)
      void navigate({ to: '/p/$project/reviews/$review', params: { project, review: commands.asked } })
  }, [commands.asked, id, navigate, project])
  useKeys('This review', [
    { keys: ['R'], does: 'Review again', run: commands.again },
    { keys: ['Escape'], does: 'Back to all reviews', run: back },
  ])

  return (
    <article className={css['page']}>
      <header className={css['head']}>
        <Link to="/p/$project/reviews" params={{ project }} className={css['back']}>
          <ChevronLeft size={16} strokeWidth={1.5} aria-hidden /> Reviews
        </Link>
        <h1>{shown(title)}</h1>
        {card && (
          <Link to="/p/$project/b/$bead" params={{ project, bead: card.id }} className={css['bead']}>
            {shown(card.title)}
          </Link>
        )}
      </header>
      {review !== null && newest !== null && newest !== id && (
        <p className={css['older']} role="note">
          A newer review exists:{' '}
          <Link to="/p/$project/reviews/$review" params={{ project, review: newest }}>
            open it
          </Link>
          .
        </p>
      )}
      <ReviewPanel
        key={id}
        project={project}
        id={id}
        search={search}
        onSearch={(patch) => void navigate({ search: (old) => ({ ...old, ...patch }), replace: true })}
        onAgain={commands.again}
        againBusy={commands.busy}
        againRefusal={commands.refusal}
      />
    </article>
  )
}
