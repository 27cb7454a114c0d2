import type { Result } from './results.ts'
export const pageOf = (results: readonly Result[]): { page: string; summary: string } => ({
  page: '',
  summary: `${results.length} results`,
})
