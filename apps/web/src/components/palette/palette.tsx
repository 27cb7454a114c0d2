import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import type { ReviewView } from '@beadloom/core/api/reviews/review-api.ts'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import { PaletteBox } from './palette-box.tsx'
import { beadItems, projectItems, reviewItems, viewItems, type PaletteItem } from './palette-items.ts'
import { useSavedViews } from '../saved-views/use-saved-views.ts'
import { useReviewCommands } from '../review/review-commands.tsx'
import { reviewKeys } from '../review/use-reviews.ts'
import { getReviews } from '../../api/endpoints.ts'
import type { BoardView } from '../../feed/board-fold.ts'
import { useFeed, useLive } from '../../feed/feed-context.tsx'

type Props = {
  home: BoardView | null
  project: ProjectView | undefined
  /** The shell's own commands. */
  actions: readonly PaletteItem[]
  /** Text typed while this was loading. */
  early: string
  onClose: () => void
}

const none: never[] = []
const RECENT = 10

export function Palette({ project, actions, ...rest }: Props) {
  const [opened] = useState(actions) // as of opening; the shell makes new ones all the time
  return project === undefined ? (
    <Everywhere actions={opened} {...rest} />
  ) : (
    <InProject project={project} actions={opened} {...rest} />
  )
}

function Everywhere({ home, actions, early, onClose }: Omit<Props, 'project'>) {
  const projects = useProjects(home, null)
  const items = useMemo(() => [...actions, ...projects], [actions, projects])
  return <PaletteBox items={items} early={early} onClose={onClose} />
}

function InProject({ home, project, actions, early, onClose }: Props & { project: ProjectView }) {
  const { id } = project
  const navigate = useNavigate()
  const feed = useFeed()
  const topic = `board:${id}`
  const known = useLive((state) => (state.topics[topic]?.view ?? null) !== null)
  // As of opening: a list that moves under the fingers opens the wrong bead.
  const beads = useMemo(() => {
    const open = (bead: string) => void navigate({ to: '/p/$project/b/$bead', params: { project: id, bead } })
    return known ? beadItems(feed.store.getState().topics[topic]?.view ?? null, open) : none
  }, [feed, topic, known, id, navigate])
  const projects = useProjects(home, id)
  const recent = useQuery({
    queryKey: [...reviewKeys.all(id), 'recent'],
    queryFn: ({ signal }) => getReviews(id, { limit: RECENT }, signal),
  })
  const reviews = useMemo(
    () =>
      reviewItems(recent.data?.items ?? none, ({ id: review, bead }: ReviewView) => {
        if (bead === null) void navigate({ to: '/p/$project/reviews/$review', params: { project: id, review } })
        else void navigate({ to: '/p/$project/b/$bead', params: { project: id, bead }, search: { tab: 'review' } })
      }),
    [recent.data, id, navigate],
  )
  const { views: saved } = useSavedViews(id)
  const views = useMemo(
    () =>
      viewItems(saved, (text) => {
        // The board's own parser decides which parts count.
        const search = Object.fromEntries(new URLSearchParams(text))
        void navigate({ to: '/p/$project', params: { project: id }, search })
      }),
    [saved, id, navigate],
  )
  const { press } = useReviewCommands({
    project: id,
    bead: null,
    problem: project.problem,
    open: (review) => void navigate({ to: '/p/$project/reviews/$review', params: { project: id, review } }),
  })
  const latest = useRef(press)
  useEffect(() => {
    latest.current = press
  })
  const review = useMemo<PaletteItem>(
    () => ({
      kind: 'action',
      key: 'review',
      name: '',
      title: `Review ${project.workBranch || 'the work branch'}`,
      also: 'work branch check',
      run: () => latest.current(),
    }),
    [project.workBranch],
  )
  const items = useMemo(
    () => [
      ...actions.filter(({ kind }) => kind === 'page'),
      ...actions.filter(({ kind }) => kind !== 'page'),
      review,
      ...views,
      ...reviews.slice(0, 3),
      ...projects,
      ...beads,
      ...reviews.slice(3),
    ],
    [actions, review, views, reviews, projects, beads],
  )
  return <PaletteBox items={items} early={early} onClose={onClose} />
}

function useProjects(home: BoardView | null, current: string | null): readonly PaletteItem[] {
  const navigate = useNavigate()
  const projects = home?.projects
  return useMemo(
    () =>
      projects === undefined
        ? none
        : projectItems(projects.values(), current, (project) => {
            void navigate({ to: '/p/$project', params: { project } })
          }),
    [projects, current, navigate],
  )
}
