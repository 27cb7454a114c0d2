import type { SystemEngine, SystemNode } from '@beadloom/core/api/server/system-api.ts'
import css from './system-page.module.css'
import { shown } from '../../ui/text/hostile-text.ts'
import { counted } from '@beadloom/core/text/count-text.ts'
import { bytesText } from '@beadloom/core/text/bytes-text.ts'
import { FactTable, type Column } from '../../ui/fact-table.tsx'
import { Verdict } from '../../ui/verdict.tsx'
import page from '../../ui/facts-page.module.css'

/** Engines beside the server's own, each with its machines. */
export function EngineList({ engines }: { engines: readonly SystemEngine[] }) {
  return engines
    .filter(({ name }) => name !== 'local')
    .map(({ name, ok, text, where, weaker, slots, containers, nodes }) => (
      <div key={name} className={css['engine']}>
        <h3>{shown(name)}</h3>
        <p>
          <Verdict ok={ok}>{shown(text)}</Verdict>
        </p>
        {where !== null && (
          <p className={page['muted']}>
            {shown(where)}, {counted(containers, 'container')} of this server
          </p>
        )}
        <p className={page['muted']}>
          {slots.used} of {counted(slots.total, 'slot')} in use
        </p>
        {weaker.map((line) => (
          <p key={line} className={page['muted']}>
            <Verdict ok={null}>{shown(line)}</Verdict>
          </p>
        ))}
        {nodes !== null && nodes.length > 0 && <NodeTable engine={name} nodes={nodes} />}
      </div>
    ))
}

const NodeTable = ({ engine, nodes }: { engine: string; nodes: readonly SystemNode[] }) => (
  <FactTable
    label={{ text: `Nodes of ${shown(engine)}` }}
    caption={counted(nodes.length, 'node')}
    columns={nodeColumns}
    rows={nodes}
    keyOf={({ name }) => name}
  />
)

const nodeColumns: Column<SystemNode>[] = [
  { title: 'Node', cell: ({ name }) => <code>{shown(name)}</code> },
  { title: 'Containers', number: true, cell: ({ containers }) => containers },
  { title: 'CPUs', number: true, cell: ({ cpus }) => cpus },
  { title: 'Memory', number: true, cell: ({ memoryBytes }) => bytesText(memoryBytes) },
  { title: 'State', text: true, cell: ({ ok, why }) => (ok ? 'ready' : shown(why)) },
]
