import { useQuery } from '@tanstack/react-query'
import { StepList } from './step-list.tsx'
import { getAgents } from '../../api/server.ts'
import { agentText, titleOf } from '../../components/bead/run/agent-words.ts'
import { shown } from '../../ui/text/hostile-text.ts'
import { Loading } from '../../ui/loading.tsx'
import page from '../../ui/facts-page.module.css'

/** The agents that a project can name, and what the server has installed for each. */
export function AgentsSection() {
  const { data, error } = useQuery({
    queryKey: ['agents'],
    queryFn: ({ signal }) => getAgents(signal),
    staleTime: 60_000,
  })
  return (
    <section aria-labelledby="agents" className={page['section']}>
      <h2 id="agents">Agents</h2>
      <p className={page['muted']}>
        Choose a project’s agent in <code>beadloom.json</code> or in its settings. In a terminal:{' '}
        <code>npx beadloom agents</code>.
      </p>
      {error !== null && <p role="alert">The agents could not be loaded. {shown(error.message)}</p>}
      {data === undefined && error === null && <Loading what="agents" />}
      {data && (
        <StepList
          label="Agents"
          steps={data.items.map((agent) => ({
            id: agent.name,
            title: titleOf(agent.name),
            text: agentText(agent),
            done: agent.model.ok ? true : null,
          }))}
        />
      )}
    </section>
  )
}
