import type { NoticePlace } from '../../components/inbox/notices.ts'

/** The target of a notice, in the router's form. */
export function placeOf(project: string, place: NoticePlace | { is: 'board' }) {
  const params = { project }
  switch (place.is) {
    case 'board':
      return { to: '/p/$project', params } as const
    case 'bead':
      return { to: '/p/$project/b/$bead', params: { project, bead: place.bead } } as const
    case 'review':
      return place.bead === null
        ? ({ to: '/p/$project/reviews/$review', params: { project, review: place.review } } as const)
        : ({ to: '/p/$project/b/$bead', params: { project, bead: place.bead }, search: { tab: 'review' } } as const)
    case 'reviews':
      return { to: '/p/$project/reviews', params } as const
    case 'sync':
      return { to: '/p/$project/sync', params } as const
  }
}
