import type { ServerStatus } from '@beadloom/core/api.ts'

/** Prometheus' text format. */
export function metricsText(status: ServerStatus, memory: NodeJS.MemoryUsage): string {
  const gauges: [string, string, number][] = [
    ['beadloom_slots', 'Slots for executions.', status.slots.total],
    ['beadloom_slots_used', 'Slots in use.', status.slots.used],
    ['beadloom_queue_length', 'Executions that wait.', status.queue.length],
    ['beadloom_docker_up', '1 when the container engine answers.', status.docker.ok ? 1 : 0],
    ['beadloom_disk_free_bytes', 'Free space where the data is.', status.disk.freeBytes],
    ['beadloom_uptime_seconds', 'Since the server started.', (status.now - status.startedAt) / 1000],
    ['process_resident_memory_bytes', 'Resident memory of the server.', memory.rss],
  ]
  return gauges
    .map(([name, help, value]) => `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${name} ${value}\n`)
    .join('')
}
