import { endsAsWithWorkers } from '../../../support/lives/outages.ts';

endsAsWithWorkers('a cycle that is paid by PIX');
