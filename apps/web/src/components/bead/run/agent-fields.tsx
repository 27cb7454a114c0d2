import { agentNames, type AgentName } from '@beadloom/core/agents/agent-names.ts'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { agentProblem, agentText, titleOf } from './agent-words.ts'
import css from './run-dialog.module.css'
import { getAgents } from '../../../api/server.ts'
import form from '../../../ui/form.module.css'
import { shown } from '../../../ui/text/hostile-text.ts'

export type AgentDraft = { agent: AgentName | ''; model: string }
export const asTheProject: AgentDraft = { agent: '', model: '' }

type Props = {
  draft: AgentDraft
  /** The project's own agent and model, used if nothing is chosen. */
  project: { agent: string; model: string | null } | undefined
  onChange: (draft: AgentDraft) => void
}

/** Another agent or model than the project's, for one execution. Any problem with it is shown before it runs. */
export function AgentFields({ draft, project, onChange }: Props) {
  const [agentId, modelId] = [useId(), useId()]
  const { data } = useQuery({ queryKey: ['agents'], queryFn: ({ signal }) => getAgents(signal), staleTime: 60_000 })
  const chosen = data?.items.find(({ name }) => name === draft.agent)
  return (
    <div className={css['pair']}>
      <div>
        <label htmlFor={agentId}>Agent</label>
        <select
          id={agentId}
          value={draft.agent}
          onChange={(event) => onChange({ ...draft, agent: event.target.value as AgentDraft['agent'] })}
        >
          <option value="">{`Project default: ${titleOf(project?.agent ?? 'openai')}`}</option>
          {agentNames.map((name) => (
            <option key={name} value={name}>
              {titleOf(name)}
            </option>
          ))}
        </select>
      </div>
      <div>
        <label htmlFor={modelId}>Model</label>
        <input
          id={modelId}
          maxLength={200}
          placeholder={project?.model ?? 'chosen by the agent'}
          value={draft.model}
          onChange={(event) => onChange({ ...draft, model: event.target.value })}
        />
      </div>
      <p className={chosen && agentProblem(chosen) !== null ? form['error'] : form['hint']} role="status">
        {chosen === undefined ? 'Applies to this run only.' : shown(agentProblem(chosen) ?? agentText(chosen))}
      </p>
    </div>
  )
}
