import { endsAsWithoutOutages } from '../../support/lives/outages.ts';

endsAsWithoutOutages('a cycle that is paid by PIX');
