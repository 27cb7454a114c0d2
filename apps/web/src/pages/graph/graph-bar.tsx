import { Link } from '@tanstack/react-router'
import css from './graph-page.module.css'
import type { GraphSearch } from './graph-search.ts'

type Props = {
  project: string
  search: GraphSearch
  focus: string | null
  /** Number of beads in the longest chain. */
  chain: number
  onSearch: (next: GraphSearch, replace?: boolean) => void
}

/** The bead in focus, and choices of what is drawn around it. */
export function GraphBar({ project, search, focus, chain, onSearch }: Props) {
  return (
    <header className={css['bar']}>
      <h1>{focus === null ? 'Dependencies' : `Around ${focus}`}</h1>
      {focus !== null && (
        <Link to="/p/$project/graph" params={{ project }} search={{ ...search, bead: undefined, open: undefined }}>
          All open beads
        </Link>
      )}
      <span className={css['space']} />
      {chain > 0 && (
        <Choice
          label={`Longest chain: ${chain} beads`}
          on={search.chain === true}
          onChange={(on) => onSearch({ ...search, chain: on || undefined }, true)}
        />
      )}
      <Choice
        label="Finished beads"
        on={search.ended === true}
        onChange={(on) => onSearch({ ...search, ended: on || undefined }, true)}
      />
    </header>
  )
}

function Choice({ label, on, onChange }: { label: string; on: boolean; onChange: (on: true | undefined) => void }) {
  return (
    <label className={css['choice']}>
      <input type="checkbox" checked={on} onChange={(event) => onChange(event.target.checked ? true : undefined)} />
      {label}
    </label>
  )
}
