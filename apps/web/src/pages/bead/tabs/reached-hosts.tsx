import { isHosted, type EgressEntry, type EgressOutcome } from '@beadloom/core/egress/ledger.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { getEgress } from '../../../api/endpoints.ts'
import { countText } from '@beadloom/core/text/count-text.ts'
import { bytesText } from '@beadloom/core/text/bytes-text.ts'
import { shown } from '../../../ui/text/hostile-text.ts'
import css from './reached-hosts.module.css'

const words: Record<EgressOutcome, string> = {
  reached: 'reached',
  refused: 'not allowed',
  private: 'in a private network, never reached',
  failed: 'could not be reached',
}

/** The hosts that an execution reached, in one line; unfolded, every host that it asked for. */
export function ReachedHosts({ execution, reached }: { execution: string; reached: string }) {
  const [open, setOpen] = useState(false)
  const { data, error } = useQuery({
    queryKey: ['egress', execution, reached],
    queryFn: ({ signal }) => getEgress(execution, signal),
    placeholderData: (old) => old,
    enabled: open,
  })
  return (
    <details className={css['reached']} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Reached: {shown(reached)}</summary>
      {error && <p role="alert">The hosts could not be loaded: {error.message}</p>}
      <ul>
        {(data?.items ?? []).map((entry) => (
          <li key={`${entry.host} ${entry.port} ${entry.outcome}`} className={css[entry.outcome]}>
            <span className={css['host']}>{nameOf(entry)}</span>
            <span>{factsOf(entry)}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}

const nameOf = (entry: EgressEntry): string => {
  if (entry.host === '') return 'others'
  return shown(isHosted(entry) ? entry.host : `${entry.host}:${entry.port}`)
}

const factsOf = (entry: EgressEntry): string => {
  const { outcome, count, sent, received } = entry
  const word = isHosted(entry) ? "run by the model's endpoint" : words[outcome]
  return [word, `${countText(count)}×`, ...(sent + received > 0 ? [bytesText(sent + received)] : [])].join(' · ')
}
