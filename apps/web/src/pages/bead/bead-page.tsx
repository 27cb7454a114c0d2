import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { BeadArticle } from './bead-article.tsx'
import { BeadHeading } from './bead-header.tsx'
import { viewsAhead } from './bead-panel.tsx'
import type { Editing } from './edit/editable.tsx'
import { isKnown, useBead, type LiveBead } from './use-bead.ts'
import { useBeadKeys } from './use-bead-keys.ts'
import { useBeadTab } from './use-bead-tab.ts'
import { useShownSession } from './use-shown-session.ts'
import { useBeadCommands } from '../../components/bead/bead-commands.tsx'
import { rememberCard } from '../../components/bead/board-memory.ts'
import { useLanes } from '../../components/bead/use-lanes.ts'
import { useReviewCommands } from '../../components/review/review-commands.tsx'
import { useHome } from '../../feed/feed-context.tsx'
import { useRefusal } from '../../ui/allowed.ts'
import { whenIdle } from '../../ui/lazy-part.ts'
import { Loading } from '../../ui/loading.tsx'
import { usePageTitle } from '../../ui/page-title.ts'
import { shown as plain } from '../../ui/text/hostile-text.ts'
import { useMedia } from '../../ui/use-media.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'

const route = getRouteApi('/p/$project/b/$bead')
export function BeadPage() {
  const { project, bead: id } = route.useParams()
  const live = useBead(project, id)
  useRefusal('runner')
  const view = useHome().view?.projects.get(project)
  const commands = useBeadCommands(project, view)
  const wide = useMedia('(min-width: 1100px)')
  const open = useBeadTab(id, live, wide)
  const shown = useShownSession(live, open)
  const review = useReviewCommands({
    project,
    bead: id,
    work: live.executions[0] ?? null,
    problem: view?.problem ?? null,
    open: () => open.open('review'),
  })
  const [editing, setEditing] = useState<Editing | null>(null)
  const onEdit = (field: Editing['field'] | null) => setEditing(field && { bead: id, field })
  useBeadKeys({ live, open, shown, commands, review: review.press, edit: onEdit })
  usePageTitle(live.bead ? `${id} ${plain(live.bead.title)}` : id)
  useEffect(() => rememberCard(project, id), [project, id])
  useEffect(() => whenIdle(viewsAhead), [])

  if (!isKnown(live)) return <NotLoaded id={id} project={project} live={live} />
  const edit = { editing: editing?.bead === id ? editing.field : null, onEdit }
  return <BeadArticle {...{ live, view, wide, open, shown, commands, review, edit }} />
}

/** The board's facts about a bead that is still on its way, or why it did not arrive. */
function NotLoaded({ id, project, live: { board, error, retry } }: { id: string; project: string; live: LiveBead }) {
  const lane = useLanes(project)(id)
  const card = board.view?.beads.get(id)
  if (error) return <LoadFailure what={id} error={error} onRetry={retry} alone />
  return (
    <>
      {card && lane ? (
        <BeadHeading id={id} title={card.title} lane={lane} />
      ) : (
        <h1 className="visually-hidden">{plain(id)}</h1>
      )}
      <Loading what={id} />
    </>
  )
}
