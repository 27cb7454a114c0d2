import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

type Props = { session: string; bead: Pick<BeadView, 'project' | 'id'>; children?: ReactNode }

/** A link to the log of a session. */
export const LogLink = ({ session, bead: { project, id }, children = 'Log' }: Props) => (
  <Link to="/p/$project/b/$bead" params={{ project, bead: id }} search={{ tab: 'output', session }}>
    {children}
  </Link>
)
