/** The audit list of a store. */
export {
  Audit,
  auditActions,
  type AuditAction,
  type AuditEntry,
  type AuditFilter,
  type ListedEntry,
} from "./Audit.ts"
