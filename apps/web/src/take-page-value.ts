import { takePageValue } from './api/page-value.ts'

takePageValue()
