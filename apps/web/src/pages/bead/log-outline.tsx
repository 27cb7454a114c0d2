import type { LogMeta } from '@beadloom/core/api.ts'
import type { Session } from '@beadloom/core/session.ts'
import { useQuery } from '@tanstack/react-query'
import css from './log-outline.module.css'
import { getLogMeta } from '../../api/endpoints.ts'
import { shown } from '../../ui/hostile-text.ts'

const LOOK_AGAIN_MS = 5000

/** The sections of a log (checkout, agent, push), to go to. */
export function LogOutline({ session, onLine }: { session: Session; onLine: (line: number) => void }) {
  const { data } = useQuery({
    queryKey: ['log-meta', session.id, session.state],
    queryFn: ({ signal }) => getLogMeta(session.id, signal),
    refetchInterval: session.state === 'ended' ? false : LOOK_AGAIN_MS,
    retry: false,
    enabled: session.logLines > 0, // before that there is no log to ask for
  })
  const sections = data?.sections ?? []
  if (sections.length < 2) return null
  return (
    <nav className={css['outline']} aria-label="Sections of the log">
      {sections.map((section) => (
        <button
          key={section.first}
          type="button"
          className={css['section']}
          title={section.command ?? undefined}
          onClick={() => onLine(section.first)}
        >
          {shown(section.title)}
          <Exit section={section} />
        </button>
      ))}
    </nav>
  )
}

function Exit({ section }: { section: LogMeta['sections'][number] }) {
  if (section.last === null) return <span className={css['live']}>◐</span>
  if (section.exit === null) return null
  return section.exit === 0 ? (
    <span className={css['ok']}>✓</span>
  ) : (
    <span className={css['bad']}>✕ {section.exit}</span>
  )
}
