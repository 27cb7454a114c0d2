import { Link } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

type Props = Omit<ComponentProps<'a'>, 'href'> & { project: string; bead: string | null; id: string }

/** A link to a review: a bead's newest one is a tab of the bead; one of the work branch has its own page. */
export function ReviewLink({ project, bead, id, ...rest }: Props) {
  return bead === null ? (
    <Link to="/p/$project/reviews/$review" params={{ project, review: id }} {...rest} />
  ) : (
    <Link to="/p/$project/b/$bead" params={{ project, bead }} search={{ tab: 'review' }} {...rest} />
  )
}
