import { patched } from '@temporalio/workflow';

// A run lives for years, so it is finished by releases that did not begin it. Each predicate here asks
// whether a run was begun since a change; one that was begun before goes on as it began. A predicate may go
// when no run can be older than it.

/** Whether charges of cycles tell how they ended, instead of being child workflows (docs/decisions/0018). */
export const chargesTellTheirEnd = () => patched('charges-tell-their-end');
