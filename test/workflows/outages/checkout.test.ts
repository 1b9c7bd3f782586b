import { endsAsWithoutOutages } from '../../support/lives/outages.ts';

endsAsWithoutOutages('a checkout that is paid by PIX');
