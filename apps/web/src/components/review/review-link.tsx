import { Link } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

type Props = Omit<ComponentProps<'a'>, 'href'> & { project: string; bead: string | null; id: string }

/** Links to a review: for a bead, its tab with the newest one; for the work branch, the review's own page. */
export function ReviewLink({ project, bead, id, ...rest }: Props) {
  return bead === null ? (
    <Link to="/p/$project/reviews/$review" params={{ project, review: id }} {...rest} />
  ) : (
    <Link to="/p/$project/b/$bead" params={{ project, bead }} search={{ tab: 'review' }} {...rest} />
  )
}
