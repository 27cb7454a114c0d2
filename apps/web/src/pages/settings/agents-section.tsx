import { useQuery } from '@tanstack/react-query'
import css from './settings-page.module.css'
import { getNamedAgents } from '../../api/settings.ts'
import { Button } from '../../ui/button.tsx'
import { shown } from '../../ui/text/hostile-text.ts'

/**
 * Agents that the built-in agent can ask, and problems of files that define none. People change them in the repository.
 */
export function AgentsSection({ project }: { project: string }) {
  const query = useQuery({
    queryKey: ['named-agents', project],
    queryFn: ({ signal }) => getNamedAgents(project, signal),
  })
  const { items = [], problems = [], notes = [] } = query.data ?? {}
  return (
    <section id="agents" className={css['section']} aria-labelledby="agents-title">
      <h2 id="agents-title">Agents by name</h2>
      <p className={css['muted']}>
        The built-in agent can ask these for a part of its work. Add your own to <code>.beadloom/agents</code> on the
        base branch.
      </p>
      {problems.length > 0 && (
        <ul className={css['problem']}>
          {problems.map((line) => (
            <li key={line}>{shown(line)}</li>
          ))}
        </ul>
      )}
      {query.isPending && <p className={css['muted']}>Loading the agents…</p>}
      {query.error && query.data === undefined && (
        <p role="alert" className={css['problem']}>
          The agents could not be loaded: {shown(query.error.message)}{' '}
          <Button onClick={() => void query.refetch()}>Try again</Button>
        </p>
      )}
      {items.length > 0 && (
        <ul className={css['card']}>
          {items.map(({ name, description, tools, model, from }) => (
            <li key={name} className={css['entry']}>
              <span className={css['muted']}>{from === null ? 'built in' : 'own'}</span>
              <span className={css['what']}>
                <code>{shown(name)}</code> {shown(description)}
                <span className={css['muted']}>
                  {' '}
                  {tools === null ? 'All tools of the agent that asks' : `Tools: ${tools.join(', ')}`}
                  {model !== null && `; model: ${shown(model)}`}
                  {from !== null && `; from ${shown(from)}`}
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
      {notes.map((line) => (
        <p key={line} className={css['muted']}>
          {shown(line)}
        </p>
      ))}
    </section>
  )
}
